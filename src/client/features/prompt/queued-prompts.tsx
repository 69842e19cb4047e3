import { useMutation } from "@tanstack/react-query";
import { ArrowUp, Check, Clock, Pencil, TriangleAlert, X } from "lucide-react";
import type { QueuedPrompt } from "../../../contract.ts";
import { api, unwrap } from "../../shared/api/client.ts";
import { keyed } from "../../shared/api/keyed.ts";
import { TASKS, upsert } from "../../shared/api/lists.ts";
import type { Task } from "../../shared/api/rows.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { CopyButton } from "../../shared/ui/copy-button.tsx";
import { ScrollBox } from "../../shared/ui/scroll-box.tsx";
import { Ago } from "../../shared/ui/time.tsx";
import { showUndoable } from "../../shared/ui/toast.tsx";
import { visibleText } from "../../shared/visible-text.ts";
import { takesPrompt } from "../../tasks/display-status.ts";
import { needsPerson, openPrompts, promptWords, sendWords, sentPrompt } from "../../tasks/prompts.ts";
import { getDraft, setDraft } from "./drafts.ts";

/** What waits for the agent, and the receipt of what it was sent last. */
export function QueuedPrompts({ task }: { task: Task }) {
  const open = openPrompts(task);
  const sent = sentPrompt(task);
  return (
    <>
      {sent && open.length === 0 && takesPrompt(task) && <Receipt task={task} prompt={sent} />}
      {open.length > 0 && (
        <ScrollBox label="Prompts that wait" className="max-h-[30dvh] rounded-md border border-line">
          <ul className="divide-y divide-line">
            {open.map((prompt) => (
              <Queued key={prompt.id} task={task} prompt={prompt} />
            ))}
          </ul>
        </ScrollBox>
      )}
    </>
  );
}

function Receipt({ task, prompt }: { task: Task; prompt: QueuedPrompt }) {
  return (
    <p
      data-receipt
      className="flex min-w-0 items-center gap-1 text-xs text-faint"
      title={visibleText(prompt.text)}
    >
      <Check size={12} aria-hidden className="shrink-0" />
      <bdi className="min-w-0 truncate">{visibleText(prompt.text).trim().split("\n", 1)[0]}</bdi>
      <span className="shrink-0">
        · {promptWords(task, prompt).replace(/\.$/, "")} · <Ago at={prompt.at} />
      </span>
    </p>
  );
}

const toDraft = (taskId: string, text: string) => {
  const draft = getDraft(taskId);
  setDraft(taskId, draft.trim() === "" ? text : `${text}\n${draft}`);
};

interface Removal {
  done(): void;
  failed?(): void;
}

function Queued({ task, prompt }: { task: Task; prompt: QueuedPrompt }) {
  const { id, text } = prompt;
  const route = api.tasks({ id: task.id }).prompts({ prompt: id });
  const send = useMutation({
    mutationFn: (_: undefined, change) => unwrap(route.send.post(undefined, keyed(change))),
    onSuccess: (row) => upsert(TASKS, row),
  });
  // By then this has gone from the page, so what comes afterwards can't be left to `mutate`.
  const remove = useMutation({
    mutationFn: (_: Removal, change) => unwrap(route.delete(undefined, keyed(change))),
    onSuccess(row, { done }) {
      upsert(TASKS, row);
      done();
    },
    onError: (_error, { failed }) => failed?.(),
  });
  const isBusy = send.isPending || remove.isPending;
  const isStuck = needsPerson(task, prompt);
  const Icon = isStuck ? TriangleAlert : Clock;
  const sends = sendWords(task, prompt);
  const error = send.error ?? remove.error;

  /** Back into the prompt's field. It stands there before it is gone here. */
  function edit() {
    const before = getDraft(task.id);
    toDraft(task.id, text);
    remove.mutate({
      done: () => document.querySelector<HTMLElement>(`[data-panel] [data-prompt="${task.id}"]`)?.focus(),
      failed: () => setDraft(task.id, before),
    });
  }

  function discard() {
    const toast = { title: "Prompt discarded", detail: visibleText(text) };
    remove.mutate({ done: () => showUndoable(toast, () => toDraft(task.id, text)) });
  }

  return (
    <li data-queued={prompt.state} className="flex items-start gap-2 py-1 pr-1 pl-2.5 touch:flex-wrap">
      <Icon size={14} aria-hidden className={`mt-1.5 shrink-0 ${isStuck ? "text-needs" : "text-faint"}`} />
      <div className="min-w-0 flex-1 py-1 touch:min-w-[80%]">
        <p className="line-clamp-3 text-sm break-words whitespace-pre-wrap">
          <bdi>{visibleText(text)}</bdi>
        </p>
        <p className={`text-xs break-words ${isStuck ? "text-needs" : "text-muted"}`}>
          {promptWords(task, prompt)}
        </p>
        {error && (
          <p role="alert" className="text-xs break-words text-failed">
            {error.message}
          </p>
        )}
      </div>
      <div className="ml-auto flex shrink-0">
        {sends !== undefined && (
          <IconButton label={sends} disabled={isBusy} onClick={() => send.mutate(undefined)}>
            <ArrowUp size={16} />
          </IconButton>
        )}
        {takesPrompt(task) ? (
          <IconButton label="Edit" disabled={isBusy} onClick={edit}>
            <Pencil size={14} />
          </IconButton>
        ) : (
          <CopyButton text={text} label="Copy" />
        )}
        <IconButton label="Discard" disabled={isBusy} onClick={discard}>
          <X size={16} />
        </IconButton>
      </div>
    </li>
  );
}
