import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../shared/api/client.ts";
import { keyed } from "../../shared/api/keyed.ts";
import { TASKS, upsert } from "../../shared/api/lists.ts";
import { getDraft, setDraft } from "./drafts.ts";

/** Gives the server the next prompt, which keeps it until the agent can take it. */
export const useSendPrompt = (taskId: string) =>
  useMutation({
    mutationFn: (text: string, change) =>
      unwrap(api.tasks({ id: taskId }).prompts.post({ text }, keyed(change))),
    networkMode: "always",
    onSuccess(row, text) {
      upsert(TASKS, row);
      if (getDraft(taskId) === text) setDraft(taskId, "");
    },
  });
