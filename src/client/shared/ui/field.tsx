import { type ComponentProps, type ReactNode, useId } from "react";

export const INPUT =
  "h-9 w-full rounded-md border border-line-strong bg-card px-3 text-sm outline-none focus:border-accent touch:min-h-11 touch:text-lg";

interface FieldProps {
  label: string;
  hint?: string;
  children(id: string): ReactNode;
}

/** A labelled form field with an optional hint. */
export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id)}
      {hint && <p className="text-xs text-faint">{hint}</p>}
    </div>
  );
}

interface TextFieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: string;
}

/** One line, monospaced for paths, names and commands unless `className` says otherwise. */
export function TextField({ label, hint, ...input }: TextFieldProps) {
  return (
    <Field label={label} {...(hint && { hint })}>
      {(id) => (
        <input id={id} spellCheck={false} autoCapitalize="none" className={`${INPUT} font-mono`} {...input} />
      )}
    </Field>
  );
}
