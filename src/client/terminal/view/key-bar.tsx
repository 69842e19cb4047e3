// The keys that phone keyboards lack, right above the keyboard. Pressing one doesn't move the focus, which would close
// the keyboard.
import { CornerDownLeft, Keyboard, Paperclip } from "lucide-react";
import { type PointerEvent, type ReactNode, useEffect, useRef } from "react";
import { useStore } from "../../shared/stores/store.ts";
import { isFinal } from "../connection/socket.ts";
import { type BarKey, ENTER_KEY, FIRST_KEYS, MORE_KEYS } from "../input/bar-keys.ts";
import type { Modifier } from "../input/sticky-modifiers.ts";
import type { Terminal } from "../terminal.ts";

const REPEAT_AFTER_MS = 500;
const REPEAT_MS = 60;

const KEY =
  "flex h-11 min-w-11 shrink-0 items-center justify-center rounded-md px-2 font-mono text-sm text-text select-none active:bg-line-strong";

export function KeyBar({ terminal }: { terminal: Terminal }) {
  const connection = useStore(terminal.status, (status) => status.connection);
  const isLive = connection.kind === "live";
  if (isFinal(connection)) return null;
  return (
    <div
      role="toolbar"
      aria-label="Terminal keys"
      onMouseDown={(event) => event.preventDefault()}
      className="terminal-keys hidden shrink-0 border-t border-line bg-raised group-has-[.terminal-field:focus]/terminal:border-accent touch:flex"
    >
      <div className="border-r border-line px-0.5">
        <KeyboardKey terminal={terminal} />
      </div>
      <div className="terminal-keys-more flex min-w-0 flex-1 gap-0.5 overflow-x-auto px-0.5">
        {FIRST_KEYS.map((key) => (
          <PressKey key={key.name} of={key} terminal={terminal} isLive={isLive} />
        ))}
        <ModifierKey name="ctrl" face="Ctrl" terminal={terminal} />
        <ModifierKey name="alt" face="Alt" terminal={terminal} />
        {MORE_KEYS.map((key) => (
          <PressKey key={key.name} of={key} terminal={terminal} isLive={isLive} />
        ))}
        <FileKey terminal={terminal} />
      </div>
      <div className="border-l border-line px-0.5">
        <PressKey of={ENTER_KEY} terminal={terminal} isLive={isLive}>
          <CornerDownLeft size={18} aria-hidden />
        </PressKey>
      </div>
    </div>
  );
}

interface PressKeyProps {
  of: BarKey;
  terminal: Terminal;
  isLive: boolean;
  children?: ReactNode;
}

function PressKey({ of: { face, name, key, repeats }, terminal, isLive, children = face }: PressKeyProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasRepeated = useRef(false);
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  function hold(event: PointerEvent) {
    hasRepeated.current = false;
    if (!repeats || event.button !== 0) return;
    const again = () => {
      hasRepeated.current = true;
      terminal.input.press(key);
      timer.current = setTimeout(again, REPEAT_MS);
    };
    timer.current = setTimeout(again, REPEAT_AFTER_MS);
  }

  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={name}
      // Not `disabled`: a tap on a disabled button would move the focus.
      aria-disabled={!isLive}
      className={`${KEY} aria-disabled:text-faint!`}
      onPointerDown={hold}
      onPointerUp={stop}
      onPointerCancel={stop}
      onPointerLeave={stop}
      onContextMenu={(event) => event.preventDefault()}
      onClick={() => hasRepeated.current || terminal.input.press(key)}
    >
      {children}
    </button>
  );
}

/** Says where keys go, as the footer does on a desk: lit while they go to the program. */
function KeyboardKey({ terminal }: { terminal: Terminal }) {
  const isFocused = useStore(terminal.status, (status) => status.isFocused);
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Keyboard"
      aria-pressed={isFocused}
      title={isFocused ? "Keys go to the program" : "Type here"}
      className={`${KEY} ${isFocused ? HOLDS.once : ""}`}
      onClick={terminal.toggleKeyboard}
    >
      <Keyboard size={18} aria-hidden />
    </button>
  );
}

const HOLDS = {
  off: "",
  once: "bg-accent-fill/20 text-accent!",
  locked: "bg-accent-fill text-white!",
};

function ModifierKey({ name, face, terminal }: { name: Modifier; face: string; terminal: Terminal }) {
  const hold = useStore(terminal.input.modifiers.store, (holds) => holds[name]);
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={hold === "locked" ? `${face}, locked` : face}
      aria-pressed={hold !== "off"}
      data-hold={hold}
      className={`${KEY} ${HOLDS[hold]}`}
      onClick={() => terminal.input.modifiers.tap(name)}
    >
      <span className={hold === "locked" ? "underline underline-offset-4" : ""}>{face}</span>
    </button>
  );
}

function FileKey({ terminal }: { terminal: Terminal }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        tabIndex={-1}
        aria-label="Attach a file"
        className={KEY}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={18} aria-hidden />
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          terminal.input.uploads.add([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </>
  );
}
