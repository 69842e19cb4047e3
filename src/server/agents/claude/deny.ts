// What Claude Code may not read or write in any mode, as rules of its own settings.

import { join } from "node:path";
import { NAMED, rootsOf, SECRET, UNCHANGED } from "../own-files.ts";

export const denyRules = (dataDir: string): string[] =>
  rootsOf(dataDir).flatMap((root) => [
    ...SECRET.flatMap((name) => [`Read(/${join(root, name)})`, `Edit(/${join(root, name)})`]),
    ...UNCHANGED.map((name) => `Edit(/${join(root, name)})`),
    ...NAMED.map((name) => `Bash(*${join(root, name)}*)`),
  ]);
