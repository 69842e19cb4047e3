import { LIMITS } from "../../../contract.ts";
import { useStore } from "../../shared/stores/store.ts";
import { Button } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { denial } from "./denial.ts";

interface DenyFieldProps {
  label: string;
  onDeny(message: string): void;
  onBack(): void;
}

/** A field for an optional reason. Enter sends, Escape goes back. */
export function DenyField({ label, onDeny, onBack }: DenyFieldProps) {
  const text = useStore(denial, (open) => open?.text ?? "");
  return (
    <div className="flex w-full flex-wrap items-end gap-2">
      <textarea
        aria-label="What to tell the agent"
        // biome-ignore lint/a11y/noAutofocus: it appears because the person asked to deny
        autoFocus
        rows={1}
        value={text}
        maxLength={LIMITS.answer}
        placeholder="Why, or what to do instead (optional)"
        enterKeyHint="send"
        onChange={(event) => denial.set((open) => open && { ...open, text: event.target.value })}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey)) return;
          event.preventDefault();
          event.stopPropagation();
          if (event.key === "Escape") onBack();
          else onDeny(text);
        }}
        className="field-sizing-content max-h-40 min-h-7 w-full min-w-40 flex-1 resize-none rounded-md border border-line-strong bg-card px-2 py-1 text-sm outline-none focus:border-accent touch:min-h-11 touch:py-2.5 touch:text-lg"
      />
      <div className="flex gap-2">
        <Button className="border-failed/50 text-failed" onClick={() => onDeny(text)}>
          {label}
        </Button>
        <Button look="quiet" onClick={onBack}>
          Back
        </Button>
      </div>
    </div>
  );
}
