import { type ReactNode, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LIMITS } from "../../../contract.ts";
import { isComposing } from "./composing.ts";
import { Dialog } from "./dialog.tsx";
import { type Findable, findChoices } from "./find-choices.ts";
import { Kbd } from "./kbd.tsx";

/** `detail` is shown after the label. */
export interface Choice extends Findable {
  /** What choosing it does, on a line of its own. */
  hint?: string;
  icon?: ReactNode;
  keys?: string;
  isCurrent?: boolean;
  run(): void;
}

interface PickerProps {
  label: string;
  placeholder: string;
  choices: Choice[];
  /** The ids of what was chosen last, the last one first. */
  recent?: readonly string[];
  onChoose?(choice: Choice): void;
  onClose(): void;
}

const MOST_SHOWN = 60;
const NONE: readonly string[] = [];

/** A list to choose from by typing: the command palette, and every smaller menu. */
export function Picker({ label, placeholder, choices, recent = NONE, onChoose, onClose }: PickerProps) {
  const [typed, setTyped] = useState("");
  // By id: the choices may change while someone is choosing, and Enter must not run a different one.
  const [activeId, setActiveId] = useState(choices[0]?.id);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = findChoices(choices, typed, recent).slice(0, MOST_SHOWN);
  const current = found.findIndex(({ id }) => id === activeId); // -1 once it is gone

  function choose(choice: Choice | undefined) {
    if (choice === undefined) return;
    onChoose?.(choice);
    flushSync(onClose); // while a dialog is open, nothing behind it can take the focus
    choice.run();
  }

  function moveTo(index: number) {
    setActiveId(found[index]?.id);
    list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" });
  }

  function onKeyDown(event: React.KeyboardEvent) {
    if (isComposing(event.nativeEvent) || found.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? emacsStep(event);
    const from = current === -1 && step === -1 ? 0 : current;
    if (step !== 0) moveTo((from + step + found.length) % found.length);
    else if (event.key === "Enter") choose(found[current]);
    else return;
    event.preventDefault();
  }

  return (
    <Dialog label={label} onClose={onClose} isPalette>
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={current === -1 ? undefined : `${listId}-${current}`}
        autoComplete="off"
        spellCheck={false}
        autoFocus
        placeholder={placeholder}
        maxLength={LIMITS.query}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActiveId(findChoices(choices, event.target.value, recent)[0]?.id);
        }}
        onKeyDown={onKeyDown}
        className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={label}
        className="max-h-[min(60dvh,26rem)] overflow-y-auto p-1.5"
      >
        {found.map((choice, index) => (
          <Row
            key={choice.id}
            id={`${listId}-${index}`}
            index={index}
            choice={choice}
            isActive={index === current}
            isFirstOfGroup={typed === "" && choice.group !== found[index - 1]?.group}
            onHover={() => setActiveId(choice.id)}
            onChoose={() => choose(choice)}
          />
        ))}
        {found.length === 0 && <p className="px-3 py-6 text-center text-muted">Nothing matches “{typed}”.</p>}
      </div>
    </Dialog>
  );
}

interface RowProps {
  id: string;
  index: number;
  choice: Choice;
  isActive: boolean;
  isFirstOfGroup: boolean;
  onHover(): void;
  onChoose(): void;
}

function Row({ id, index, choice, isActive, isFirstOfGroup, onHover, onChoose }: RowProps) {
  return (
    <>
      {isFirstOfGroup && choice.group && (
        <div role="presentation" className="px-2.5 pt-2.5 pb-1 text-xs text-faint">
          {choice.group}
        </div>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the input above owns the keyboard */}
      <div
        id={id}
        role="option"
        tabIndex={-1}
        data-index={index}
        aria-selected={isActive}
        onPointerMove={onHover}
        onClick={onChoose}
        className={`flex min-h-9 items-center gap-2.5 rounded-md px-2.5 touch:min-h-11 ${isActive ? "bg-line" : ""}`}
      >
        {choice.icon && <span className="text-faint">{choice.icon}</span>}
        {choice.hint ? (
          <span className="min-w-0 flex-1 py-1.5">
            {choice.label}
            <span className="block text-xs text-muted">{choice.hint}</span>
          </span>
        ) : (
          <span className="min-w-0 shrink truncate">{choice.label}</span>
        )}
        {choice.detail && <span className="min-w-0 flex-1 truncate text-sm text-faint">{choice.detail}</span>}
        <span className="ml-auto flex items-center gap-2">
          {choice.isCurrent && <span className="text-xs text-faint">current</span>}
          {choice.keys && <Kbd keys={choice.keys} />}
        </span>
      </div>
    </>
  );
}

function emacsStep(event: React.KeyboardEvent): number {
  if (!event.ctrlKey) return 0;
  return { n: 1, j: 1, p: -1, k: -1 }[event.key] ?? 0;
}
