// The terminal's history and screen as plain text, to read with the keyboard or a screen reader, and to select without a
// mouse.
import { X } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "../../shared/ui/button.tsx";
import type { Terminal } from "../terminal.ts";

export function Reader({ terminal, onClose }: { terminal: Terminal; onClose(): void }) {
  const [text] = useState(terminal.allText);
  const field = useRef<HTMLTextAreaElement>(null);

  // Start at the last line, where the program is.
  useLayoutEffect(() => {
    const { current } = field;
    if (current === null) return undefined;
    const last = text.lastIndexOf("\n") + 1;
    current.focus();
    current.setSelectionRange(last, last);
    current.scrollTop = current.scrollHeight;
    const refuse = (event: Event) => event.preventDefault();
    current.addEventListener("beforeinput", refuse);
    return () => current.removeEventListener("beforeinput", refuse);
  }, [text]);

  return (
    <div
      role="dialog"
      aria-label="Terminal as text"
      className="absolute inset-0 flex flex-col bg-raised"
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key !== "Escape") return;
        event.preventDefault();
        onClose();
      }}
    >
      <div className="flex h-9 shrink-0 items-center border-b border-line pr-1 pl-3 text-xs text-faint touch:h-12">
        <span className="mr-auto">The terminal as text, as it was a moment ago</span>
        <IconButton label="Close" hint="Esc" onClick={onClose}>
          <X size={16} />
        </IconButton>
      </div>
      {/* Not `readOnly`, as that has no cursor. */}
      <textarea
        ref={field}
        aria-readonly
        inputMode="none"
        onChange={() => {}}
        aria-label="Terminal as text"
        spellCheck={false}
        value={text}
        className="min-h-0 flex-1 resize-none bg-transparent p-3 font-mono text-sm outline-none"
      />
    </div>
  );
}
