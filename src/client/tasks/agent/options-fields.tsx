import { useState } from "react";
import { type AgentOptions, type KnownOptions, LIMITS } from "../../../contract.ts";
import { Field, INPUT, TextField } from "../../shared/ui/field.tsx";
import { fromText, type OptionsText, toText } from "./options-text.ts";

interface OptionsFieldsProps {
  /** What the agent is called, and which options it has. */
  label: string;
  known: KnownOptions;
  /** The options when the fields first appear. What is typed after that stays, even if the server refuses it. */
  options: AgentOptions | null;
  /** What applies where a field is empty. */
  inherited: AgentOptions | null;
  /** On every keystroke. */
  onChange?(options: AgentOptions | null): void;
  /** When a field loses the focus, or something is selected. */
  onCommit?(options: AgentOptions | null): void;
}

/** How an agent is started. */
export function OptionsFields({ label, known, options, inherited, onChange, onCommit }: OptionsFieldsProps) {
  const [text, setText] = useState(() => toText(options));
  function set(patch: Partial<OptionsText>): AgentOptions | null {
    const next = { ...text, ...patch };
    setText(next);
    const typed = fromText(next);
    onChange?.(typed);
    return typed;
  }
  const commit = () => onCommit?.(fromText(text));
  function choose(patch: Partial<OptionsText>) {
    const typed = set(patch);
    onCommit?.(typed);
  }
  const below = toText(inherited);
  const byDefault = `${label}’s default`;
  const modes = Object.entries(known.modes);
  const { variable, usual, holds } = known.configDir;
  return (
    <>
      <TextField
        label="Model"
        hint={`A model’s name as ${label} takes it, such as ${known.model.example}.`}
        value={text.model}
        maxLength={LIMITS.model}
        placeholder={below.model || byDefault}
        onChange={(event) => set({ model: event.target.value })}
        onBlur={commit}
        className={INPUT}
      />
      <Choice
        label="Permissions"
        value={text.permissionMode}
        choices={modes.map(([mode, allows]) => [mode, `${allows} (${mode})`])}
        inherited={below.permissionMode && known.modes[below.permissionMode]}
        byDefault={byDefault}
        onChoose={(chosen) => choose({ permissionMode: chosen as OptionsText["permissionMode"] })}
      />
      {known.efforts.length > 0 && (
        <Choice
          label="Effort"
          value={text.effort}
          choices={known.efforts.map((effort) => [effort, effort])}
          inherited={below.effort}
          byDefault={byDefault}
          onChoose={(chosen) => choose({ effort: chosen as OptionsText["effort"] })}
        />
      )}
      <Field label="Extra arguments" hint="One per line, passed as they are, without a shell.">
        {(id) => (
          <textarea
            id={id}
            value={text.extraArgs}
            rows={2}
            placeholder={below.extraArgs}
            spellCheck={false}
            onChange={(event) => set({ extraArgs: event.target.value })}
            onBlur={commit}
            className={`${INPUT} field-sizing-content h-auto min-h-14 py-2 font-mono`}
          />
        )}
      </Field>
      <TextField
        label="Configuration directory"
        hint={`${variable}: where it keeps ${holds}.`}
        value={text.configDir}
        maxLength={LIMITS.path}
        placeholder={below.configDir || usual}
        onChange={(event) => set({ configDir: event.target.value })}
        onBlur={commit}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: [value: string, words: string][];
  /** What the project says, in words. */
  inherited: string | undefined;
  byDefault: string;
  onChoose(value: string): void;
}

function Choice({ label, value, choices, inherited, byDefault, onChoose }: ChoiceProps) {
  const isKnown = value === "" || choices.some(([one]) => one === value);
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          onChange={(event) => onChoose(event.target.value)}
          className={`${INPUT} text-ellipsis`}
        >
          <option value="">{inherited ? `Project default: ${inherited}` : byDefault}</option>
          {choices.map(([one, words]) => (
            <option key={one} value={one}>
              {words}
            </option>
          ))}
          {!isKnown && <option value={value}>{value} (unknown)</option>}
        </select>
      )}
    </Field>
  );
}
