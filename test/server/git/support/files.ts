import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Files = Record<string, string>;

const bytes = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Every file, link and folder below a directory with its mode and its bytes; names are latin1. */
export function filesIn(directory: string | Buffer, except: string[] = [".git"], below = ""): Files {
  const found: Files = {};
  for (const name of readdirSync(Buffer.from(directory as string), { encoding: "buffer" })) {
    const relative = below + name.toString("latin1");
    if (except.includes(relative)) continue;
    const path = bytes(directory, "/", name);
    const info = lstatSync(path);
    const mode = (info.mode & 0o7777).toString(8);
    if (info.isSymbolicLink()) {
      found[relative] = `link to ${readlinkSync(path, { encoding: "buffer" }).toString("latin1")}`;
    } else if (info.isDirectory()) {
      found[`${relative}/`] = mode;
      Object.assign(found, filesIn(path, except, `${relative}/`));
    } else found[relative] = `${mode} ${readFileSync(path).toString("latin1")}`;
  }
  return found;
}

export const odd = (...codes: number[]) => Buffer.from(codes);
export { bytes };
