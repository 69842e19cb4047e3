import { describe, expect, test } from "bun:test";
import { readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { followLink } from "../support/login.ts";
import { environment, ROOT, run } from "../support/program.ts";
import { TestServer } from "../support/server.ts";
import { tempDir } from "../support/temp.ts";
import { freshCheckout } from "./support/checkout.ts";

const BANTO = join(ROOT, "bin/banto");
/** To --version, and to an unknown benchmark. */
const ANSWER = /^(\d+\.\d+\.\d+\n$|unknown benchmark)/;

describe("bin/banto", () => {
  test("refuses unknown arguments with its usage and exit 2", async () => {
    using home = tempDir("home");
    const { code, stderr } = await run([BANTO, "--nonsense"], environment(home.path));
    expect(code).toBe(2);
    expect(stderr).toContain("unknown arguments: --nonsense");
  });

  test.each([
    ["--version", { code: 0, stdout: `${version}\n`, stderr: "" }],
    ["login", { code: 1, stdout: "", stderr: expect.stringContaining("no banto is running") }],
  ])("%s installs and builds nothing", async (command, answer) => {
    using checkout = freshCheckout();
    const before = readdirSync(checkout.path);
    expect(await checkout.run("bin/banto", command)).toEqual(answer);
    expect(readdirSync(checkout.path)).toEqual(before);
  });

  test.each(["bin/banto --version", "bin/bench nonsense"])(
    "%s works from any directory and through symbolic links",
    async (command) => {
      using home = tempDir("home");
      const [program = "", ...args] = command.split(" ");
      symlinkSync(join(ROOT, program), join(home.path, "absolute"));
      symlinkSync("absolute", join(home.path, "relative"));
      const direct = await run([join(ROOT, program), ...args], environment(home.path));
      const linked = await run([join(home.path, "relative"), ...args], environment(home.path), home.path);
      expect(linked).toEqual(direct);
      expect(await run(["sh", "relative", ...args], environment(home.path), home.path)).toEqual(direct);
      expect(linked.stdout + linked.stderr).toMatch(ANSWER);
      expect(readdirSync(home.path).sort()).toEqual(["absolute", "relative"]);
    },
  );

  test.each(["bin/banto --version", "bin/bench nonsense", "bin/bun --version"])(
    "%s is not led astray by CDPATH",
    async (command) => {
      using home = tempDir("home");
      const [program = "", ...args] = command.split(" ");
      const env = environment(home.path, { CDPATH: `.:${ROOT}` });
      const { stdout, stderr } = await run([program, ...args], env);
      expect(stdout + stderr).toMatch(ANSWER);
    },
  );

  test.each([
    ["bin/banto", "BANTO_PORT"],
    ["bin/bench nonsense", "unknown benchmark"],
  ])("%s takes nothing from the directory one stands in", async (command, complaint) => {
    using home = tempDir("home");
    const [program = "", ...args] = command.split(" ");
    writeFileSync(join(home.path, ".env"), "BANTO_HOST=not an address\n");
    writeFileSync(join(home.path, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
    writeFileSync(join(home.path, "preload.ts"), 'console.log("preloaded");\n');
    const env = environment(home.path, { BANTO_PORT: "http" });
    const { code, stdout, stderr } = await run([join(ROOT, program), ...args], env, home.path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(complaint);
  });

  test("names a bad variable and exits 2", async () => {
    using home = tempDir("home");
    const { code, stderr } = await run([BANTO], environment(home.path, { BANTO_PORT: "http" }));
    expect(code).toBe(2);
    expect(stderr).toContain("BANTO_PORT");
  });

  test("login prints a link to the server that runs", async () => {
    await using server = await TestServer.startShipped();
    const { code, stdout } = await run([BANTO, "login"], environment(server.home));
    expect(code).toBe(0);
    expect((await followLink(server, stdout.trim())).status).toBe(200);
  });
});
