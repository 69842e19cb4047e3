import { type RefObject, useLayoutEffect, useRef } from "react";
import { LIMITS } from "../../../contract.ts";
import type { Shell } from "../../shared/api/rows.ts";
import { createStore } from "../../shared/stores/store.ts";
import { isComposing } from "../../shared/ui/composing.ts";
import { renameShell } from "./shell-actions.ts";

/** The shell that is being renamed. */
export const renamingShell = createStore<string | null>(null);

interface RenameFieldProps {
  shell: Shell;
  /** The id of the tab it covers: a tab must not contain a text field. */
  over: string;
  within: RefObject<HTMLElement | null>;
}

const LEAST_WIDTH = 112;

export function RenameField({ shell, over, within }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);

  useLayoutEffect(() => {
    const tab = document.getElementById(over)?.getBoundingClientRect();
    const row = within.current?.getBoundingClientRect();
    if (tab === undefined || row === undefined || field.current === null) return;
    const width = Math.min(Math.max(tab.width, LEAST_WIDTH), row.width);
    const left = Math.max(0, Math.min(tab.left - row.left, row.width - width));
    Object.assign(field.current.style, { left: `${left}px`, width: `${width}px` });
    field.current.select();
  }, [over, within]);

  function finish(isSaved: boolean) {
    if (renamingShell.get() !== shell.id) return;
    const name = field.current?.value.replace(/\s+/g, " ").trim() ?? "";
    if (isSaved && name !== "" && name !== shell.name) void renameShell(shell, name);
    renamingShell.set(null);
  }

  return (
    <input
      ref={field}
      type="text"
      aria-label={`Name of ${shell.name}`}
      defaultValue={shell.name}
      maxLength={LIMITS.shellName}
      // biome-ignore lint/a11y/noAutofocus: it appears because the person asked to type here
      autoFocus
      spellCheck={false}
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event.nativeEvent) || (event.key !== "Enter" && event.key !== "Escape")) return;
        event.preventDefault();
        finish(event.key === "Enter");
        document.getElementById(over)?.focus();
      }}
      className="absolute inset-y-0.5 rounded-md border border-accent bg-card px-2 text-sm font-medium outline-none"
    />
  );
}
