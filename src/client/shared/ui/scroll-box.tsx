import type { ReactNode, Ref } from "react";

interface ScrollBoxProps {
  label: string;
  className?: string;
  children: ReactNode;
  ref?: Ref<HTMLElement>;
}

const SCROLLS = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", " "]);

/** A box that scrolls, and can be scrolled with the keyboard too. */
export function ScrollBox({ label, className = "", children, ref }: ScrollBoxProps) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach it to scroll it
      tabIndex={0}
      data-scrolls
      onKeyDown={(event) => {
        // Otherwise these keys would move to another card.
        if (event.target === event.currentTarget && SCROLLS.has(event.key)) event.stopPropagation();
      }}
      className={`overflow-auto overscroll-contain ${className}`}
    >
      {children}
    </section>
  );
}
