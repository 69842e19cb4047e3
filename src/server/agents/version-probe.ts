import { printedBy, remembered } from "./ask-program.ts";

/** Asks a program for its version; null if it doesn't say. */
export function createVersionProbe(environment: Record<string, string | undefined>) {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("BANTO_")));
  return remembered(
    async (path) => /\d+\.\d+\.\d+/.exec(await printedBy([path, "--version"], env))?.[0] ?? null,
  );
}
