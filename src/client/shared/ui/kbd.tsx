const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** The name of the key that commands are combined with. */
export const MOD_NAME = isMac ? "⌘" : "Ctrl";

const SYMBOLS: Record<string, string> = {
  mod: MOD_NAME,
  Control: isMac ? "⌃" : "Ctrl",
  Enter: "↵",
  Escape: "Esc",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  " ": "Space",
  Backspace: "⌫",
  Delete: "Del",
};

/** `mod+k` in the words of the reader's keyboard; `g b` is one key after the other. */
const keyParts = (key: string) => {
  const separator = key.includes(" ") && key !== " " ? " " : "+";
  return key === " " ? ["Space"] : key.split(separator).map((part) => SYMBOLS[part] ?? part.toUpperCase());
};

export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keyParts(keys).map((part) => (
        <kbd
          key={part}
          className="inline-flex h-4.5 min-w-4.5 items-center justify-center rounded border border-line px-1 font-sans text-[11px] leading-none text-faint"
        >
          {part}
        </kbd>
      ))}
    </span>
  );
}
