import type { ReactNode } from "react";

const keep = (event: React.SyntheticEvent) => event.stopPropagation();

/** Buttons and fields on a card: pressing them neither opens the card nor drags it. */
export function Controls({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps what happens inside from the card
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys on the controls never open the card
    <div onClick={keep} onMouseDown={keep} onTouchStart={keep} className={`cursor-auto ${className}`}>
      {children}
    </div>
  );
}
