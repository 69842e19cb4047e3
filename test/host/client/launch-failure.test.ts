// Why a session did not start, told apart and told in words.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launchHost } from "../../../src/host/client/launch.ts";
import { LaunchError, type LaunchReason } from "../../../src/host/protocol/launch-error.ts";
import type { HostRequest } from "../../../src/host/protocol/spec.ts";
import { tempDir } from "../../support/temp.ts";
import { hostRequest } from "../support/host.ts";

// Programs start slowly on a busy machine.
setDefaultTimeout(60_000);

interface Case {
  name: string;
  argv: string[];
  more?: (dir: string) => Partial<HostRequest>;
  reason: LaunchReason;
  says: RegExp;
}

const CASES: Case[] = [
  {
    name: "a program that is not on the PATH",
    argv: ["no-such-program"],
    reason: "no_program",
    says: /The program no-such-program was not found on the PATH \//,
  },
  {
    name: "a path where no program is",
    argv: ["/no/such/program"],
    reason: "no_program",
    says: /The program \/no\/such\/program was not found\.$/,
  },
  {
    name: "a script whose interpreter is missing",
    argv: ["./orphan"],
    reason: "no_program",
    says: /interpreter that \.\/orphan names/,
  },
  {
    name: "a directory that is gone",
    argv: ["true"],
    more: (dir) => ({ cwd: join(dir, "gone") }),
    reason: "no_directory",
    says: /The directory .*gone is not there any more/,
  },
  {
    name: "a file where the directory should be",
    argv: ["true"],
    more: (dir) => ({ cwd: join(dir, "plain") }),
    reason: "no_directory",
    says: /plain is not a directory/,
  },
  {
    name: "a program without the right to be executed",
    argv: ["./plain"],
    reason: "not_executable",
    says: /\.\/plain isn.t executable/,
  },
  {
    name: "a directory in a program's place",
    argv: ["./directory"],
    reason: "not_executable",
    says: /\.\/directory isn.t executable/,
  },
  {
    name: "a file that is no program",
    argv: ["./garbage"],
    reason: "not_executable",
    says: /not a program this machine can run/,
  },
  {
    name: "an argument longer than the system takes",
    argv: ["true", "x".repeat(131_072)],
    reason: "too_long",
    says: /longer than the system passes on/,
  },
  {
    name: "a socket path longer than the system takes",
    argv: ["true"],
    more: () => ({ socketPath: `/tmp/${"x".repeat(120)}` }),
    reason: "invalid",
    says: /125 bytes long.*107.*shorter data directory/,
  },
  {
    name: "a run directory that is not there",
    argv: ["true"],
    more: (dir) => ({ claimPath: join(dir, "no", "x.claim") }),
    reason: "failed",
    says: /Cannot write in .*\/no \(ENOENT/,
  },
  {
    name: "a place where no socket can be made",
    argv: ["touch", "survived"],
    more: (dir) => ({ socketPath: join(dir, "no", "x.sock"), claimPath: join(dir, "x.claim") }),
    reason: "failed",
    says: /Cannot listen at .*x\.sock/,
  },
];

test.each(CASES)("$name is told as $reason", async ({ argv, more, reason, says }) => {
  using dir = tempDir("launch");
  writeFileSync(join(dir.path, "plain"), "text");
  writeFileSync(join(dir.path, "garbage"), "\x7fELF and nothing else");
  writeFileSync(join(dir.path, "orphan"), "#!/no/such/interpreter\n");
  for (const name of ["garbage", "orphan"]) chmodSync(join(dir.path, name), 0o755);
  mkdirSync(join(dir.path, "directory"));
  const error = await launchHost(hostRequest(dir.path, argv, more?.(dir.path))).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(LaunchError);
  expect((error as LaunchError).message).toMatch(says);
  expect((error as LaunchError).reason).toBe(reason);
  const left = ["exit.json", "host.sock", "x.claim", "survived"];
  expect(left.filter((name) => existsSync(join(dir.path, name)))).toEqual([]);
});
