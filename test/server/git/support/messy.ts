import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitIn } from "../../../support/repository.ts";
import { bytes, odd } from "./files.ts";
import { Workshop } from "./workshop.ts";

/** A repository whose worktree has one of everything that work can consist of. */
export async function messyWorkshop(): Promise<Workshop> {
  const workshop = await Workshop.create();
  const { repository } = workshop;
  const write = (name: string, content: string) => writeFileSync(join(repository.path, name), content);
  write(".gitignore", ".env\nignored/\n");
  for (const name of ["kept", "changed", "deleted", "renamed", "staged", "mode", "became-link"])
    write(name, `${name}\n`);
  mkdirSync(join(repository.path, "folder"));
  write("folder/inside", "inside\n");
  await repository.git("add", ".");
  await repository.git("commit", "--quiet", "-m", "files");
  await workshop.create();
  await disturb(workshop.path);
  return workshop;
}

async function disturb(path: string): Promise<void> {
  const at = (name: string) => join(path, name);
  writeFileSync(at("committed"), "by the agent\n");
  await gitIn(path, "add", "committed");
  await gitIn(path, "commit", "--quiet", "-m", "work");
  writeFileSync(at("changed"), "changed on disk\n");
  rmSync(at("deleted"));
  renameSync(at("renamed"), at("new name"));
  writeFileSync(at("staged"), "as staged\n");
  writeFileSync(at("staged and gone"), "only in the index\n");
  await gitIn(path, "add", "staged", "staged and gone");
  writeFileSync(at("staged"), "changed again\n");
  rmSync(at("staged and gone"));
  chmodSync(at("mode"), 0o755);
  rmSync(at("became-link"));
  symlinkSync("kept", at("became-link"));
  rmSync(at("folder"), { recursive: true });
  writeFileSync(at("folder"), "now a file\n");
  await addNewFiles(path);
}

async function addNewFiles(path: string): Promise<void> {
  const at = (name: string) => join(path, name);
  writeFileSync(at("untracked"), bytes("binary ", odd(0, 255, 10, 13)));
  writeFileSync(at("new\nline"), "newline in the name\n");
  writeFileSync(at("ends in cr\r"), "cr\n");
  writeFileSync(at('"quoted\\'), "quotes\n");
  writeFileSync(at(" -leading"), "space and dash\n");
  writeFileSync(at("日本 é 🎉"), "unicode\n");
  writeFileSync(bytes(path, "/odd-", odd(0xff, 0xfe), "\n"), "not UTF-8\n");
  symlinkSync("nowhere/at/all", at("dangling"));
  symlinkSync(odd(0xff, 0x2f, 0xfe), at("odd link"));
  symlinkSync("/etc", at("link to a folder"));
  writeFileSync(at("script"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(at("private"), "secret\n", { mode: 0o600 });
  writeFileSync(at("empty"), "");
  mkdirSync(at("empty folder"));
  writeFileSync(at(".env"), "TOKEN=1\n", { mode: 0o600 });
  mkdirSync(at("ignored/deep"), { recursive: true });
  writeFileSync(at("ignored/deep/file"), "ignored\n");
  mkdirSync(at("nested"));
  await gitIn(at("nested"), "init", "--quiet", "--initial-branch=main");
  writeFileSync(at("nested/file"), "of the nested repository\n");
  await gitIn(at("nested"), "add", ".");
  await gitIn(at("nested"), "commit", "--quiet", "-m", "nested");
  writeFileSync(at("nested/loose"), "untracked there\n");
}

/** What a snapshot cannot hold. */
export const LOST_WITHOUT_TRASH = (name: string) =>
  name.endsWith("/") || name === ".env" || name.startsWith("ignored/") || isLooseObject(name);

/** What was in many files is in one pack afterwards. */
export const isLooseObject = (name: string) => name.startsWith("nested/.git/objects/");
