import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import type { OnTried } from "../../tasks/change.ts";
import { dropDraft, getDraft, sendDraft, typeDraft, useDraft } from "../../tasks/drafts.ts";

interface DraftFieldProps {
  id: string;
  /** The name of the draft that holds the text until it is saved. */
  draft: string;
  label: string;
  value: string;
  maxLength: number;
  placeholder?: string;
  /** Enter saves, and line breaks become spaces. */
  isOneLine?: boolean;
  onSave(value: string, onTried: OnTried): void;
  className: string;
}

const SAVE_AFTER_MS = 1_000;

/** Text that is edited in place and saves itself: on blur, on ⌘Enter, after a pause, and when panel or page close. */
export function DraftField({
  id,
  draft: name,
  label,
  value,
  maxLength,
  placeholder,
  isOneLine,
  onSave,
  className,
}: DraftFieldProps) {
  const draft = useDraft(name);
  const field = useRef<HTMLTextAreaElement>(null);
  const isRefused = draft?.state === "refused";

  /** After a refusal only a person sends it again. Otherwise it would be refused once a second. */
  const save = useEffectEvent((isAsked = false) => {
    const typed = getDraft(name);
    if (typed === undefined || typed.state === "sent" || (typed.state === "refused" && !isAsked)) return;
    const text = isOneLine ? typed.text.replace(/\s+/g, " ").trim() : typed.text;
    if (text === value || (isOneLine && text === "")) dropDraft(name);
    else sendDraft(name, text, (onTried) => onSave(text, onTried));
  });

  useEffect(() => {
    if (draft === undefined || isOneLine) return;
    const timer = setTimeout(save, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, isOneLine]);

  useEffect(() => {
    const onLeave = () => save();
    window.addEventListener("beforeunload", onLeave);
    document.addEventListener("visibilitychange", onLeave); // all that phones report before they discard a page
    return () => {
      window.removeEventListener("beforeunload", onLeave);
      document.removeEventListener("visibilitychange", onLeave);
      save();
    };
  }, []);

  return (
    <div className="-mx-2">
      <textarea
        ref={field}
        id={id}
        aria-label={label}
        aria-describedby={isRefused ? `${id}-refused` : undefined}
        value={draft?.text ?? value}
        maxLength={maxLength}
        placeholder={placeholder}
        rows={1}
        onChange={(event) => typeDraft(name, event.target.value)}
        onBlur={() => save(true)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          const isDone = event.key === "Enter" && (isOneLine || event.metaKey || event.ctrlKey);
          if (event.key === "Escape" && isOneLine) dropDraft(name); // before the blur would save it
          if (!isDone && event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          field.current?.closest<HTMLElement>("[data-panel]")?.focus(); // blurs the field, which saves
        }}
        className={`field-sizing-content block w-full resize-none rounded-md bg-transparent px-2 py-1 outline-none hover:bg-line/50 focus:bg-card focus:ring-1 focus:ring-line-strong ${className}`}
      />
      {isRefused && (
        <div className="flex items-center gap-1 px-2 pb-1 text-xs text-failed">
          <p id={`${id}-refused`}>Not saved.</p>
          <Button look="quiet" onClick={() => save(true)}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
