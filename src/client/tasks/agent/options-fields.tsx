import { useState } from "react";
import { type AgentOptions, LIMITS, PERMISSION_MODES } from "../../../contract.ts";
import { Field, INPUT, TextField } from "../../shared/ui/field.tsx";
import { fromText, MODE_NAMES, type OptionsText, toText } from "./options-text.ts";

interface OptionsFieldsProps {
  /** The options when the fields first appear. What is typed after that stays, even if the server refuses it. */
  options: AgentOptions | null;
  /** What applies where a field is empty. */
  inherited: AgentOptions | null;
  /** On every keystroke. */
  onChange?(options: AgentOptions | null): void;
  /** When a field loses the focus, or something is selected. */
  onCommit?(options: AgentOptions | null): void;
}

/** How Claude Code is started. */
export function OptionsFields({ options, inherited, onChange, onCommit }: OptionsFieldsProps) {
  const [text, setText] = useState(() => toText(options));
  function set(patch: Partial<OptionsText>): AgentOptions | null {
    const next = { ...text, ...patch };
    setText(next);
    const typed = fromText(next);
    onChange?.(typed);
    return typed;
  }
  const commit = () => onCommit?.(fromText(text));
  const below = toText(inherited);
  const mode = inherited?.permissionMode;
  return (
    <>
      <TextField
        label="Model"
        hint="A name such as opus or sonnet, or a model's full id."
        value={text.model}
        maxLength={LIMITS.model}
        placeholder={below.model || "Claude Code's default"}
        onChange={(event) => set({ model: event.target.value })}
        onBlur={commit}
        className={INPUT}
      />
      <Field label="Permissions">
        {(id) => (
          <select
            id={id}
            value={text.permissionMode}
            onChange={(event) => {
              const typed = set({ permissionMode: event.target.value as OptionsText["permissionMode"] });
              onCommit?.(typed);
            }}
            className={INPUT}
          >
            <option value="">
              {mode ? `Project default: ${MODE_NAMES[mode]}` : "Claude Code's default"}
            </option>
            {PERMISSION_MODES.map((name) => (
              <option key={name} value={name}>
                {MODE_NAMES[name]} ({name})
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Extra arguments" hint="One per line, passed as they are, without a shell.">
        {(id) => (
          <textarea
            id={id}
            value={text.extraArgs}
            rows={2}
            placeholder={below.extraArgs || "--add-dir\n/srv/shared"}
            spellCheck={false}
            onChange={(event) => set({ extraArgs: event.target.value })}
            onBlur={commit}
            className={`${INPUT} field-sizing-content h-auto min-h-14 py-2 font-mono`}
          />
        )}
      </Field>
      <TextField
        label="Configuration directory"
        hint="CLAUDE_CONFIG_DIR: where it keeps settings, logins and conversations."
        value={text.configDir}
        maxLength={LIMITS.path}
        placeholder={below.configDir || "~/.claude"}
        onChange={(event) => set({ configDir: event.target.value })}
        onBlur={commit}
      />
    </>
  );
}
