import { expect, test } from "bun:test";
import { claimedHost, splitAfterHost } from "../../../../src/client/terminal/links-and-find/claimed-host.ts";

const EVIL = "https://evil.example/login";

const CASES: [text: string, address: string, claim: string | undefined][] = [
  ["https://github.com/login", EVIL, "github.com"],
  ["see github.com", EVIL, "github.com"],
  ["GitHub.com/org/repo", EVIL, "github.com"],
  ["https://evil.example.github.com", EVIL, "evil.example.github.com"],
  ["github.com", "https://evil.example/github.com", "github.com"],
  ["https://github.com", "https://github.com.evil.example/", "github.com"],
  ["https://install.sh", EVIL, "install.sh"],
  ["gіthub.com", "https://github.com/", "xn--gthub-n2e.com"], // Cyrillic
  ["git\u200bhub.com", EVIL, "hub.com"],
  ["localhost:3000", EVIL, "localhost"],
  ["http://127.0.0.1:3000/", EVIL, "127.0.0.1"],
  ["evil.example, that is https://github.com/login", EVIL, "github.com"],
  ["github。com", EVIL, "github.com"],
  ["bob@github.com", "mailto:eve@evil.example", "github.com"],
  // A text that is no link leads where it says, but may say it so that nobody sees it.
  ["https://github.com@evil.example/login", "https://github.com@evil.example/login", "github.com"],
  ["https://evil.example/login", EVIL, undefined],
  ["evil.example", EVIL, undefined],
  ["www.evil.example", EVIL, undefined],
  ["github.com", "https://www.github.com/", undefined],
  ["github.com", "https://docs.github.com/en", undefined],
  ["https://evil.example/github.com", EVIL, undefined],
  ["https://evil.example/?to=https://github.com", EVIL, undefined],
  ["Sign in", EVIL, undefined],
  ["README.md", EVIL, undefined],
  ["src/client/main.test.ts:12", EVIL, undefined],
  ["v1.2.3, e.g. Node.js", EVIL, undefined],
  ["", EVIL, undefined],
  ["münchen.de", "https://xn--mnchen-3ya.de/", undefined],
  ["bob@evil.example", "mailto:bob@evil.example", undefined],
];

test.each(CASES)("“%s” for %s claims %s", (text, address, claim) => {
  expect(claimedHost(text, address)).toBe(claim);
});

test.each([
  ["http://p/a", "http://p", "/a"],
  ["https://s/login", "https://s", "/login"],
  ["https://www.github.com:8443/github.com", "https://www.github.com:8443", "/github.com"],
  [
    "https://github.com@evil.example/?to=evil.example",
    "https://github.com@evil.example",
    "/?to=evil.example",
  ],
  ["mailto:Eve@Evil.Example?subject=x", "mailto:Eve@Evil.Example", "?subject=x"],
])("%s is shown whole up to its host", (address, upToHost, rest) => {
  expect(splitAfterHost(address)).toEqual([upToHost, rest]);
});

test("half a megabyte of text takes no time", () => {
  for (const part of ["a.", "a-", "é.", "http://", "github.com ", "."]) {
    const begun = performance.now();
    claimedHost(part.repeat(500_000 / part.length), EVIL);
    expect(performance.now() - begun).toBeLessThan(1_000);
  }
});
