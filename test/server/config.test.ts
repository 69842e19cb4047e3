import { describe, expect, test } from "bun:test";
import { completeSpec } from "../../src/host/protocol/spec.ts";
import { readConfig } from "../../src/server/config.ts";
import { newId } from "../../src/server/ids.ts";
import { environment, runServer } from "../support/program.ts";
import { tempDir } from "../support/temp.ts";

const ABSENT = { BANTO_PORT: "", BANTO_DATA_DIR: "" };

describe("without any variable", () => {
  const config = readConfig({});

  test("it listens on this machine only", () => {
    expect(config).toMatchObject({ host: "127.0.0.1", port: 4780, publicOrigins: [] });
  });

  test("sessions have the documented bounds", () => {
    expect(config).toMatchObject({
      claudeExecutable: "claude",
      outputBufferBytes: 1_048_576,
      orphanGraceSeconds: 0,
    });
    expect(config.maxSessions).toBeGreaterThanOrEqual(1);
  });

  test("the data lies where XDG says, else below the home directory", () => {
    expect(config.dataDir).toEndWith("/.local/share/banto");
    expect(readConfig({ XDG_DATA_HOME: "/data" }).dataDir).toBe("/data/banto");
    expect(readConfig({ XDG_DATA_HOME: "relative" }).dataDir).toEndWith("/.local/share/banto");
  });
});

test("an empty variable is the same as none", () => {
  const names = [
    "BANTO_HOST",
    "BANTO_PORT",
    "BANTO_DATA_DIR",
    "BANTO_PUBLIC_ORIGIN",
    "BANTO_PROJECT_ROOTS",
    "BANTO_INSECURE_BIND",
    "BANTO_MAX_SESSIONS",
    "BANTO_SNAPSHOT_DAYS",
    "CLAUDE_CODE_EXECUTABLE",
    "PTY_OUTPUT_BUFFER_SIZE",
    "PTY_ORPHAN_GRACE_PERIOD",
  ];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(readConfig({}));
});

test("good values are taken", () => {
  const config = readConfig({
    BANTO_HOST: "::1",
    BANTO_PORT: "0",
    BANTO_DATA_DIR: "/data",
    BANTO_PUBLIC_ORIGIN: " https://a.example , http://b.example:8080/ ",
    BANTO_PROJECT_ROOTS: "/one:/two",
    BANTO_MAX_SESSIONS: "3",
    BANTO_SNAPSHOT_DAYS: "0",
    CLAUDE_CODE_EXECUTABLE: "/opt/claude/bin/claude",
    PTY_OUTPUT_BUFFER_SIZE: "65536",
    PTY_ORPHAN_GRACE_PERIOD: "3600",
  });
  expect(config).toMatchObject({
    host: "::1",
    port: 0,
    dataDir: "/data",
    publicOrigins: ["https://a.example", "http://b.example:8080"],
    projectRoots: [expect.any(String), "/one", "/two"],
    maxSessions: 3,
    snapshotDays: 0,
    claudeExecutable: "/opt/claude/bin/claude",
    outputBufferBytes: 65_536,
    orphanGraceSeconds: 3_600,
  });
});

const WHOLE_NUMBER = /expected a whole number from \d+ to \d+/;
const BAD: [string, string[], RegExp][] = [
  ["BANTO_PORT", ["http", "-1", "65536", "1.5", "0x10", " 80", "80 ", "1e3", "٣"], WHOLE_NUMBER],
  ["BANTO_MAX_SESSIONS", ["0", "-1", "many", "1001", "2.5"], WHOLE_NUMBER],
  ["BANTO_SNAPSHOT_DAYS", ["-1", "90 days", "36501"], WHOLE_NUMBER],
  ["PTY_OUTPUT_BUFFER_SIZE", ["0", "1MB", "1023", "1e6", "99999999999999999999"], WHOLE_NUMBER],
  ["PTY_ORPHAN_GRACE_PERIOD", ["-1", "1h", "never", "2147484"], WHOLE_NUMBER],
  ["BANTO_DATA_DIR", ["data", "./data", "~/data"], /expected an absolute path/],
  ["BANTO_PROJECT_ROOTS", ["code", "/ok:code"], /expected absolute paths separated by colons/],
  [
    "CLAUDE_CODE_EXECUTABLE",
    ["./claude", "bin/claude"],
    /expected an absolute path, or the name of a program/,
  ],
  ["BANTO_HOST", ["http://127.0.0.1", "a b", "127.0.0.1/x"], /expected an address/],
  ["BANTO_HOST", ["0.0.0.0", "::", "192.168.0.1"], /other machines can reach.*BANTO_PUBLIC_ORIGIN/],
  ["BANTO_INSECURE_BIND", ["yes", "true", "2"], /expected 1 or nothing/],
  [
    "BANTO_PUBLIC_ORIGIN",
    [
      "example.org",
      "*",
      "https://",
      "ftp://x",
      "https://x/path",
      "https://x?q",
      "https://u:p@x",
      "https://a,b",
    ],
    /expected origins such as/,
  ],
];

describe.each(BAD)("a bad %s", (name, values, expected) => {
  test.each(values)("%j is refused with what was expected", (value) => {
    expect(() => readConfig({ ...ABSENT, [name]: value })).toThrow(expected);
    expect(() => readConfig({ ...ABSENT, [name]: value })).toThrow(name);
  });

  test("makes the program exit 2 with one line, before it touches anything", async () => {
    using home = tempDir("home");
    const { code, stdout, stderr } = await runServer(environment(home.path, { [name]: values[0] ?? "" }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(new RegExp(`^banto: .*${name}`))]);
    expect(Array.from(new Bun.Glob("**").scanSync({ cwd: home.path, onlyFiles: false }))).toEqual([]);
  });
});

test("the longest data directory is one in which a host's socket still fits", () => {
  const { dataDir } = readConfig({ BANTO_DATA_DIR: `/${"a".repeat(80)}` });
  const paths = { recordPath: "/r", logPath: "/l", socketPath: `${dataDir}/run/${newId()}.sock` };
  const request = { sessionId: "s", argv: ["true"], cwd: "/", env: {}, cols: 80, rows: 24 };
  expect(() => completeSpec({ ...request, ...paths })).not.toThrow();
});

test("an address others can reach is taken behind TLS, or when asked for by name", () => {
  expect(readConfig({ BANTO_HOST: "0.0.0.0", BANTO_PUBLIC_ORIGIN: "https://a.example" }).host).toBe(
    "0.0.0.0",
  );
  expect(readConfig({ BANTO_HOST: "0.0.0.0", BANTO_INSECURE_BIND: "1" }).host).toBe("0.0.0.0");
  const plain = { BANTO_HOST: "0.0.0.0", BANTO_PUBLIC_ORIGIN: "http://a.example" };
  expect(() => readConfig(plain)).toThrow("BANTO_HOST");
});
