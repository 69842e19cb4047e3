import { useEffect, useEffectEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isComposing } from "../ui/composing.ts";

interface DraftFieldProps {
  id: string;
  label: string;
  value: string;
  maxLength: number;
  placeholder?: string;
  /** Enter saves, and line breaks become spaces. */
  isOneLine?: boolean;
  onSave(value: string): void;
  className: string;
}

const SAVE_AFTER_MS = 1_000;

/** Text edited in place. It saves itself: on leaving, on ⌘Enter, after a pause, and when the panel or the page closes. */
export function DraftField({
  id,
  label,
  value,
  maxLength,
  placeholder,
  isOneLine,
  onSave,
  className,
}: DraftFieldProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  const save = useEffectEvent(() => {
    if (draft === null) return;
    const text = isOneLine ? draft.replace(/\s+/g, " ").trim() : draft;
    setDraft(null);
    if (text !== value && !(isOneLine && text === "")) onSave(text);
  });

  useEffect(() => {
    if (draft === null || isOneLine) return;
    const timer = setTimeout(save, SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, isOneLine]);

  useEffect(() => {
    const onLeave = () => save();
    window.addEventListener("beforeunload", onLeave);
    document.addEventListener("visibilitychange", onLeave); // all that a phone tells before it drops a page
    return () => {
      window.removeEventListener("beforeunload", onLeave);
      document.removeEventListener("visibilitychange", onLeave);
      save();
    };
  }, []);

  return (
    <textarea
      ref={field}
      id={id}
      aria-label={label}
      value={draft ?? value}
      maxLength={maxLength}
      placeholder={placeholder}
      rows={1}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => save()}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        const isDone = event.key === "Enter" && (isOneLine || event.metaKey || event.ctrlKey);
        if (event.key === "Escape" && isOneLine) flushSync(() => setDraft(null)); // before the blur would save it
        if (!isDone && event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        field.current?.closest<HTMLElement>("[data-panel]")?.focus(); // which blurs, and saves
      }}
      className={`field-sizing-content -mx-2 block w-[calc(100%+1rem)] resize-none rounded-md bg-transparent px-2 py-1 outline-none hover:bg-line/50 focus:bg-card focus:ring-1 focus:ring-line-strong ${className}`}
    />
  );
}
