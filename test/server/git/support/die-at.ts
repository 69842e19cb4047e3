import { dirname, join } from "node:path";
import { environment, run } from "../../../support/program.ts";

const CHILD = join(import.meta.dir, "crash-child.ts");

/** The command that does one thing to worktrees, and kills itself at a step if it is named one. */
export const crashCommand = (operation: string, input: object) => [
  process.execPath,
  CHILD,
  operation,
  JSON.stringify(input),
];

export const crashEnvironment = environment(dirname(CHILD));

export async function dieAt(step: string, operation: string, input: object): Promise<void> {
  const { code, stderr } = await run([...crashCommand(operation, input), step], crashEnvironment);
  if (code !== 137) throw new Error(`did not die at ${step}: ${code} ${stderr}`);
}
