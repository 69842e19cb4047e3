// What the agent is asking or said last, with fields to answer without its terminal: on the card and in the panel.

import { AskCard } from "../features/asks/ask-card.tsx";
import { AskPanel } from "../features/asks/ask-panel.tsx";
import { LastReply, ReplyPreview } from "../features/prompt/last-reply.tsx";
import { PromptBox } from "../features/prompt/prompt-box.tsx";
import { QueuedPrompts } from "../features/prompt/queued-prompts.tsx";
import type { Task } from "../shared/api/rows.ts";
import { focusTask } from "../shared/stores/focus.ts";
import { Controls } from "../shared/ui/controls.tsx";
import { ErrorBoundary } from "../shared/ui/error-boundary.tsx";
import { askOf, isTurnOver, takesPrompt } from "../tasks/display-status.ts";
import { Preview } from "../tasks/preview.tsx";
import { openPrompts } from "../tasks/prompts.ts";

const ASKED = "What the agent is asking";

export function CardConversation({ task, isTabStop }: { task: Task; isTabStop: boolean }) {
  const ask = askOf(task);
  if (ask !== null) {
    return (
      <ErrorBoundary key={ask.id} name={ASKED} of={task.updatedAt} className="mt-2">
        <AskCard task={task} ask={ask} isTabStop={isTabStop} />
      </ErrorBoundary>
    );
  }
  return (
    <>
      {task.lastReply ? (
        <ReplyPreview text={task.lastReply} />
      ) : (
        <Preview taskId={task.id} sessionId={task.sessionId} />
      )}
      <Controls className="mt-2">
        <PromptBox task={task} isTabStop={isTabStop} onLeave={() => focusTask(task.id)} />
      </Controls>
    </>
  );
}

export function PanelConversation({ task, isAlone = false }: { task: Task; isAlone?: boolean }) {
  const ask = askOf(task);
  if (ask !== null) {
    return (
      <ErrorBoundary key={ask.id} name={ASKED} of={task.updatedAt} className="mx-5 mb-3">
        <AskPanel task={task} ask={ask} isAlone={isAlone} />
      </ErrorBoundary>
    );
  }
  const isOffered = takesPrompt(task);
  if (!isOffered && openPrompts(task).length === 0) return null;
  return (
    <section aria-label="Next prompt" className="mx-5 mb-3 flex shrink-0 flex-col gap-2">
      {task.lastReply && isTurnOver(task) && <LastReply text={task.lastReply} />}
      <QueuedPrompts task={task} />
      {isOffered && (
        <PromptBox task={task} onLeave={() => document.querySelector<HTMLElement>("[data-panel]")?.focus()} />
      )}
    </section>
  );
}
