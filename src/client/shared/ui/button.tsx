import type { ComponentProps } from "react";

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md text-sm font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-50 touch:min-h-11";

/** The room of a key's letter (`KeyHint`) that is not offered now. */
const WITHOUT_KEY = "has-[>[data-key-hint=off]]:px-[17px] touch:has-[>[data-key-hint=off]]:px-2.5";

const LOOKS = {
  plain: "h-7 border border-line bg-card px-2.5 hover:bg-card-hover hover:border-line-strong",
  primary: "h-7 bg-accent-fill px-2.5 text-white hover:brightness-110",
  quiet: "h-7 px-2 text-muted hover:bg-line hover:text-text",
};

interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
}

export function Button({ look = "plain", className = "", ...props }: ButtonProps) {
  return <button type="button" className={`${BASE} ${LOOKS[look]} ${WITHOUT_KEY} ${className}`} {...props} />;
}

interface IconButtonProps extends ComponentProps<"button"> {
  label: string;
  /** The key that does the same. */
  hint?: string;
}

export function IconButton({ label, hint, className = "", ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={hint ? `${label} (${hint})` : label}
      className={`inline-flex size-7 shrink-0 items-center justify-center rounded-md text-faint transition-colors duration-100 hover:bg-line hover:text-text touch:size-11 ${className}`}
      {...props}
    />
  );
}
