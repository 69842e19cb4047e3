// The menu after a long press, a tap on a link, or a click on one that leads elsewhere than it says.
import { useLayoutEffect, useRef } from "react";
import { useStore } from "../../shared/stores/store.ts";
import { Button } from "../../shared/ui/button.tsx";
import type { Terminal } from "../terminal.ts";

/** Between the finger and the menu, and between the menu and the edge. */
const GAP = { finger: 28, edge: 4 };

export function TouchMenu({ terminal }: { terminal: Terminal }) {
  const menu = useStore(terminal.status, (status) => status.menu);
  const bar = useRef<HTMLDivElement>(null);
  const { edit } = terminal.input;

  // Above the finger if there is room, else below; never over the edge.
  useLayoutEffect(() => {
    const { current } = bar;
    const box = current?.parentElement;
    if (!current || !box || menu === undefined) return;
    const above = menu.y - GAP.finger - current.offsetHeight;
    const most = box.clientWidth - current.offsetWidth - GAP.edge;
    current.style.top = `${above >= GAP.edge ? above : menu.y + GAP.finger}px`;
    current.style.left = `${Math.max(GAP.edge, Math.min(most, menu.x - current.offsetWidth / 2))}px`;
  }, [menu]);

  if (menu === undefined) return null;
  const andClose = (act: () => void) => () => {
    act();
    edit.closeMenu();
  };
  const { link, ends } = menu;
  return (
    <>
      {ends.map(({ x, y }) => (
        <span
          key={`${x},${y}`}
          style={{ left: x, top: y }}
          className="absolute -ml-1.5 size-3 rounded-full bg-accent"
        />
      ))}
      <div
        ref={bar}
        role="toolbar"
        aria-label="Selection"
        onMouseDown={(event) => event.preventDefault()}
        className="enter pointer-events-auto absolute z-10 flex max-w-full items-center rounded-ui bg-raised p-0.5 shadow-float"
      >
        {link !== undefined && (
          <Button
            look="quiet"
            className="h-auto! min-h-7 max-w-72 flex-col items-start! gap-0! py-1 text-left whitespace-normal! text-text!"
            onClick={andClose(() => window.open(link.address, "_blank", "noopener,noreferrer"))}
          >
            {link.claims !== undefined && (
              <span className="text-failed">The text says {link.claims}, but it leads elsewhere.</span>
            )}
            <span className="line-clamp-6 wrap-anywhere">
              Open {link.address.replace(/^https?:\/\//, "")}
            </span>
          </Button>
        )}
        {menu.hasSelection && (
          <Button look="quiet" className="text-text!" onClick={andClose(edit.copy)}>
            Copy
          </Button>
        )}
        <Button look="quiet" className="text-text!" onClick={andClose(edit.paste)}>
          Paste
        </Button>
        <Button
          look="quiet"
          className="text-text!"
          onClick={() => {
            edit.selectAll();
            terminal.status.patch({ menu: { ...menu, hasSelection: true, ends: [] } });
          }}
        >
          Select all
        </Button>
      </div>
    </>
  );
}
