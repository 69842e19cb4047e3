import { gitIn, TestRepository } from "../../../support/repository.ts";
import { Workshop } from "./workshop.ts";

/** git clones from a folder only if it is told that this is all right. */
export const ALLOW = ["-c", "protocol.file.allow=always"];

/** A worktree whose project has a submodule, which has one itself. */
export async function withSubmodules(): Promise<{ workshop: Workshop } & Disposable> {
  const workshop = await Workshop.create();
  const [library, deep] = [await TestRepository.create("library"), await TestRepository.create("deep")];
  await library.git(...ALLOW, "submodule", "--quiet", "add", deep.path, "deep");
  await library.git("commit", "--quiet", "-m", "submodule");
  await workshop.repository.git(...ALLOW, "submodule", "--quiet", "add", library.path, "vendor/lib");
  await workshop.repository.git("commit", "--quiet", "-m", "submodule");
  await workshop.create();
  await gitIn(workshop.path, ...ALLOW, "submodule", "--quiet", "update", "--init", "--recursive");
  return {
    workshop,
    [Symbol.dispose]() {
      for (const one of [workshop, library, deep]) one[Symbol.dispose]();
    },
  };
}
