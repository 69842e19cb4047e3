import { type ReactNode, useId } from "react";

interface SwitchProps {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  isDisabled?: boolean;
  onChange(isOn: boolean): void;
}

/** On or off, at once. */
export function Switch({ label, hint, isOn, isDisabled = false, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3 py-2">
      <div className="min-w-0 flex-1">
        <label htmlFor={id} className="text-sm font-medium break-words">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={isOn}
        aria-label={label}
        {...(hint && { "aria-describedby": `${id}-hint` })}
        disabled={isDisabled}
        onClick={() => onChange(!isOn)}
        className="group inline-flex h-5 shrink-0 items-center disabled:opacity-50 touch:-my-3 touch:size-11 touch:justify-end"
      >
        <span className="flex h-5 w-9 items-center rounded-full bg-line-strong p-0.5 transition-colors duration-100 group-aria-checked:bg-accent-fill">
          <span className="size-4 rounded-full bg-white transition-transform duration-100 group-aria-checked:translate-x-4" />
        </span>
      </button>
    </div>
  );
}
