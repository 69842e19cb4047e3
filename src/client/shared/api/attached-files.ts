import { useMutation } from "@tanstack/react-query";
import { sendFile } from "./send-file.ts";
import { quoteForShell } from "./shell-quote.ts";

/** Stores files beside the task's worktree, one after the other. Resolves with their paths, quoted for a prompt. */
async function attach(taskId: string, files: readonly File[]): Promise<string> {
  const { signal } = new AbortController();
  const paths: string[] = [];
  for (const file of files) {
    paths.push(await sendFile(`/api/tasks/${taskId}/files`, file, { signal, onProgress() {} }));
  }
  return paths.map(quoteForShell).join(" ");
}

/** For pictures and other files that are pasted into a prompt. */
export const useAttachFiles = (taskId: string, onStored: (paths: string) => void) =>
  useMutation({
    mutationFn: (files: readonly File[]) => attach(taskId, files),
    retry: false,
    networkMode: "always",
    onSuccess: onStored,
  });
