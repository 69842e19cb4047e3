import { existsSync } from "node:fs";
import { join } from "node:path";
import { listIfThere } from "../disk/if-there.ts";

/** The repositories of submodules in a folder `modules`. A submodule's name may contain slashes. */
export async function modulesIn(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await listIfThere(directory)) {
    const path = join(directory, name);
    if (existsSync(join(path, "HEAD"))) found.push(path);
    else found.push(...(await modulesIn(path)));
  }
  return found;
}

/** The same, with their own submodules. */
export async function allModulesIn(directory: string): Promise<string[]> {
  const found = await modulesIn(directory);
  const inner = await Promise.all(found.map((module) => allModulesIn(join(module, "modules"))));
  return [...found, ...inner.flat()];
}
