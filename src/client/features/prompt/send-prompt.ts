import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../shared/api/client.ts";
import { keyed } from "../../shared/api/keyed.ts";
import { takesPrompt } from "../../tasks/display-status.ts";
import { getTask } from "../../tasks/tasks.ts";
import { getDraft, setDraft } from "./drafts.ts";

/** Types the next prompt into the agent's terminal. Never retries by itself: it might be typed twice. */
export const useSendPrompt = (taskId: string) =>
  useMutation({
    mutationFn: async (text: string, change) => {
      const task = getTask(taskId);
      // Enter would answer the dialog that is open there. The server checks too, because this page may lag behind.
      if (task?.asks) throw new Error("The agent is asking something. Answer that first.");
      if (task && !takesPrompt(task))
        throw new Error("The agent is working. To add something now, type in its terminal.");
      await unwrap(
        api.tasks({ id: taskId }).terminal.input.post({ text, submit: true, prompt: true }, keyed(change)),
      );
    },
    retry: false,
    networkMode: "always",
    onSuccess(_nothing, text) {
      if (getDraft(taskId) === text) setDraft(taskId, "");
    },
  });
