import { AskPanel } from "../features/asks/ask-panel.tsx";
import { LastReply } from "../features/prompt/last-reply.tsx";
import { PromptBox } from "../features/prompt/prompt-box.tsx";
import { askOf, takesPrompt } from "../tasks/display-status.ts";
import type { Task } from "../tasks/tasks.ts";

/** What the agent asks or said last, and how to answer without the terminal. */
export function Talk({ task }: { task: Task }) {
  const ask = askOf(task);
  if (ask !== null) return <AskPanel key={ask.id} task={task} ask={ask} />;
  if (!takesPrompt(task)) return null;
  return (
    <section aria-label="Next prompt" className="mx-5 mb-3 flex shrink-0 flex-col gap-2">
      {task.lastReply && <LastReply text={task.lastReply} />}
      <PromptBox task={task} onLeave={() => document.querySelector<HTMLElement>("[data-panel]")?.focus()} />
    </section>
  );
}
