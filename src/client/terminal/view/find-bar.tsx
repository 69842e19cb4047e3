import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type Ref, useState } from "react";
import { LIMITS } from "../../../contract.ts";
import { useStore } from "../../shared/stores/store.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { MOST_MATCHES } from "../links-and-find/find.ts";
import type { Terminal } from "../terminal.ts";

interface FindBarProps {
  field: Ref<HTMLInputElement>;
  terminal: Terminal;
  onClose(): void;
}

export function FindBar({ field, terminal, onClose }: FindBarProps) {
  const { count, current } = useStore(terminal.status, (status) => status.matches);
  const [query, setQuery] = useState("");

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation();
    if (isComposing(event.nativeEvent)) return;
    if (event.key === "Enter") terminal.findNext(event.shiftKey ? 1 : -1);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  }

  return (
    <search className="enter absolute top-2 right-2 flex items-center gap-0.5 rounded-ui bg-raised p-1 shadow-float">
      <input
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: a shortcut opened it
        autoFocus
        aria-label="Find in the terminal"
        placeholder="Find"
        maxLength={LIMITS.query}
        value={query}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setQuery(event.target.value);
          terminal.find(event.target.value);
        }}
        className="h-7 w-44 rounded-md bg-transparent px-2 text-sm outline-none touch:h-11 touch:text-lg"
      />
      <span aria-live="polite" className="min-w-14 px-1 text-right text-xs text-faint tabular-nums">
        {describe(query, count, current)}
      </span>
      <IconButton label="Older match" hint="↵" onClick={() => terminal.findNext(-1)}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton label="Newer match" hint="⇧↵" onClick={() => terminal.findNext(1)}>
        <ChevronDown size={16} />
      </IconButton>
      <IconButton label="Close" hint="Esc" onClick={onClose}>
        <X size={16} />
      </IconButton>
    </search>
  );
}

function describe(query: string, count: number, current: number): string {
  if (query === "") return "";
  if (count === 0) return "none";
  return `${current + 1} of ${count}${count >= MOST_MATCHES ? "+" : ""}`;
}
