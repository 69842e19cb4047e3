import type { ReactNode, Ref } from "react";

interface ScrollBoxProps {
  label: string;
  className?: string;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

const SCROLLS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "]);

/** What scrolls must be reachable by keyboard. */
export function ScrollBox({ label, className = "", children, ref }: ScrollBoxProps) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: else nobody without a mouse could scroll it
      tabIndex={0}
      onKeyDown={(event) => {
        // Else the keys that scroll would go to another card.
        if (event.target === event.currentTarget && SCROLLS.has(event.key)) event.stopPropagation();
      }}
      className={`overflow-auto overscroll-contain ${className}`}
    >
      {children}
    </section>
  );
}
