import type { ReactNode } from "react";

const keep = (event: React.SyntheticEvent) => event.stopPropagation();

/** Buttons and fields on a card. Using them neither opens nor drags the card. */
export function Controls({ children, className = "" }: { children: ReactNode; className?: string }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only stops events from reaching the card
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys on the controls never open the card
    <div onClick={keep} onMouseDown={keep} onTouchStart={keep} className={`cursor-auto ${className}`}>
      {children}
    </div>
  );
}
