/** Says what can't be tested on this machine, and why; bin/test repeats it at its end. True when there is a reason. */
export function isSkipped(what: string, reason: string | undefined): boolean {
  if (reason !== undefined) process.stderr.write(`skipped: ${what}, because ${reason}\n`);
  return reason !== undefined;
}
