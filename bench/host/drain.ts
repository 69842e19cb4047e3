// What other programs are measured against: terminals in C.
import { join } from "node:path";
import { programPath, requirePrograms } from "../../bin/lib/programs.ts";

export interface Drain {
  name: string;
  /** Runs a shell command in a terminal, reads everything, and ends with it. */
  argv(command: string): string[];
}

/** Made here if there is a compiler; otherwise `script` has to do, which also writes down what it reads. */
export function makeDrain(folder: string): Drain {
  const [compiler, program] = [Bun.which("cc"), join(folder, "drain")];
  const source = join(import.meta.dir, "drain.c");
  const isMade =
    compiler !== null && Bun.spawnSync([compiler, "-O2", "-o", program, source, "-lutil"]).success;
  if (isMade) return { name: "a bare drain in C", argv: (command) => [program, command] };
  console.error("there is no C compiler, so script(1) is measured in place of a bare drain");
  return { name: "script(1)", argv: (command) => ["script", "-qc", command, "/dev/null"] };
}

/** Where ttyd is, if it is there or can be installed. */
export async function findTtyd(): Promise<string | undefined> {
  if (await requirePrograms(["ttyd"])) return programPath("ttyd");
  console.error("there is no ttyd, so a terminal and a WebSocket in one process are measured in its place");
  return undefined;
}
