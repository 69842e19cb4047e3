import { programPath } from "../../bin/lib/programs.ts";

/** A program of the system that a test runs for real. One that is missing fails the test; nothing is skipped in silence. */
export function program(name: Parameters<typeof programPath>[0]): string {
  const path = programPath(name);
  if (path === undefined) throw new Error(`this test runs ${name}; bin/test installs it where it can`);
  return path;
}
