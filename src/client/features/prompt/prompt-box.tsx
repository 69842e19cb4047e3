import { ArrowUp } from "lucide-react";
import { useId, useRef } from "react";
import { LIMITS } from "../../../contract.ts";
import { useAttachFiles } from "../../shared/api/attached-files.ts";
import type { Task } from "../../shared/api/rows.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { filesOf } from "../../shared/ui/transferred-files.ts";
import { activityOf } from "../../tasks/display-status.ts";
import { getDraft, setDraft, useDraft } from "./drafts.ts";
import { useSendPrompt } from "./send-prompt.ts";

interface PromptBoxProps {
  task: Task;
  isTabStop?: boolean;
  onLeave(): void;
}

/** The next prompt. Enter sends it as typed, Shift Enter starts a new line. The text stays until the server has it. */
export function PromptBox({ task, isTabStop = true, onLeave }: PromptBoxProps) {
  const draft = useDraft(task.id);
  const send = useSendPrompt(task.id);
  const errorId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const attach = useAttachFiles(task.id, (paths) => {
    const text = getDraft(task.id);
    const at = field.current?.selectionStart ?? text.length;
    setDraft(task.id, `${text.slice(0, at)}${paths} ${text.slice(at)}`);
  });
  const isBusy = send.isPending || attach.isPending;
  const isEmpty = draft.trim() === "";
  const activity = activityOf(task);

  function submit() {
    const text = getDraft(task.id);
    if (text.trim() !== "" && !isBusy) send.mutate(text);
  }

  /** Stores pasted pictures and other files where the agent can read them, and inserts their paths. */
  function takeFiles(event: React.ClipboardEvent) {
    const files = filesOf(event.clipboardData);
    if (files.length === 0 || attach.isPending) return;
    event.preventDefault();
    attach.mutate(files);
  }

  return (
    <div>
      <div className="flex items-end gap-1 rounded-md border border-line bg-card focus-within:border-accent">
        <textarea
          ref={field}
          data-prompt={task.id}
          aria-label={`Next prompt for ${task.title}`}
          aria-describedby={errorId}
          rows={1}
          tabIndex={isTabStop ? 0 : -1}
          value={draft}
          readOnly={send.isPending}
          maxLength={LIMITS.input}
          placeholder={
            activity?.kind === "working" ? "Next prompt, for the end of this turn…" : "Next prompt…"
          }
          enterKeyHint="send"
          onChange={(event) => setDraft(task.id, event.target.value)}
          onPaste={takeFiles}
          onKeyDown={(event) => {
            if (isComposing(event.nativeEvent)) return;
            if (event.key === "Escape") onLeave();
            else if (event.key === "Enter" && !event.shiftKey) submit();
            else return;
            event.preventDefault();
            event.stopPropagation();
          }}
          className="field-sizing-content max-h-40 min-h-7 w-full min-w-0 flex-1 resize-none bg-transparent px-2 py-1 text-sm outline-none touch:min-h-11 touch:py-2.5 touch:text-lg"
        />
        <IconButton
          label="Send"
          hint="Enter"
          tabIndex={isTabStop ? 0 : -1}
          disabled={isEmpty || isBusy}
          onClick={submit}
          className="disabled:opacity-40"
        >
          <ArrowUp size={16} />
        </IconButton>
      </div>
      <p id={errorId} role="alert" className="mt-1 text-xs break-words text-failed empty:hidden">
        {attach.error
          ? `Couldn't attach: ${attach.error.message}`
          : send.error && `Couldn't send: ${send.error.message}`}
      </p>
      {activity?.held !== undefined && activity.kind !== "working" && (
        <p data-held className="mt-1 text-xs break-words text-muted">
          A prompt is held for now: {activity.held}
        </p>
      )}
      {attach.isPending && <p className="mt-1 text-xs text-muted">Attaching…</p>}
    </div>
  );
}
