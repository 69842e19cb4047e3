// Why a program could not be started, in words. The system blames the program's name for everything,
// a missing directory included, so what is really missing has to be looked for.
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { LaunchError } from "../protocol/launch-error.ts";
import type { HostSpec } from "../protocol/spec.ts";

function directoryProblem(cwd: string): string | undefined {
  try {
    if (!statSync(cwd).isDirectory()) return `${cwd} is not a directory.`;
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EACCES" ? `${cwd} may not be entered.` : `The directory ${cwd} is not there any more.`;
  }
}

export function explainSpawnFailure(error: unknown, { argv, cwd, env }: HostSpec): LaunchError {
  const { code } = error as NodeJS.ErrnoException;
  const [name = ""] = argv;
  const problem = directoryProblem(cwd);
  if (problem !== undefined) return new LaunchError("no_directory", problem);
  if (code === "ENOENT") {
    if (name.includes("/") && existsSync(resolve(cwd, name)))
      return new LaunchError(
        "no_program",
        `The interpreter that ${name} names in its first line is missing.`,
      );
    const where = name.includes("/") ? "" : ` on the PATH ${env.PATH ?? ""}`;
    return new LaunchError("no_program", `The program ${name} was not found${where}.`);
  }
  if (code === "EACCES")
    return new LaunchError("not_executable", `${name} isn't executable; check its permissions.`);
  if (code === "ENOEXEC")
    return new LaunchError("not_executable", `${name} is not a program this machine can run.`);
  if (code === "E2BIG")
    return new LaunchError("too_long", "The prompt or the environment is longer than the system passes on.");
  const message = error instanceof Error ? error.message : String(error);
  return new LaunchError("failed", `${name} could not be started (${message}).`);
}
