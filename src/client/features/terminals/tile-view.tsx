import { Maximize2, SquareTerminal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { IconButton } from "../../shared/ui/button.tsx";
import { Kbd } from "../../shared/ui/kbd.tsx";
import { AgentMark } from "../../tasks/agent/agent-mark.tsx";
import { displayStatus } from "../../tasks/display-status.ts";
import { StateMark } from "../../tasks/state-mark.tsx";
import { TerminalView } from "../../terminal/terminal-view.tsx";
import { currentTile, enterTile, openTile, type Tile, typedTile } from "./tiles.ts";

interface TileViewProps {
  tile: Tile;
  /** From 1. Only 1 to 9 have a key. */
  number: number;
  isTabStop: boolean;
}

export function TileView({ tile, number, isTabStop }: TileViewProps) {
  const element = useRef<HTMLElement>(null);
  const isCurrent = useStore(currentTile, (key) => key === tile.key);
  const isTyped = useStore(typedTile, (key) => key === tile.key);
  /** No panel is open: an open one keeps the focus. */
  const isAlone = useStore(view, ({ taskId }) => taskId === null);
  const isSeen = useIsSeen(element);

  useEffect(() => {
    const field = element.current?.querySelector("textarea");
    if (isTyped) field?.focus();
    else if (isCurrent && isAlone) element.current?.focus();
  }, [isCurrent, isTyped, isAlone]);

  /** A click elsewhere ends typing here. A tap on a touch screen only blurs the field for a moment. */
  function onBlur({ relatedTarget }: React.FocusEvent) {
    if (!document.hasFocus() || element.current?.contains(relatedTarget)) return;
    queueMicrotask(() => {
      const isLeft = !element.current?.contains(document.activeElement);
      if (isLeft && typedTile.get() === tile.key) typedTile.set(null);
    });
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page listens for all tiles, in tile-keys.ts
    <article
      ref={element}
      data-tile={tile.key}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={tile.title}
      aria-describedby="tiles-help"
      onFocus={(event) => event.target === event.currentTarget && currentTile.set(tile.key)}
      onBlur={onBlur}
      onClick={() => !isTyped && enterTile(tile.key)}
      className={`flex h-full min-w-0 flex-col overflow-clip [--toasts:0px] rounded-ui border bg-raised ${
        isTyped ? "border-accent ring-1 ring-accent" : "border-line hover:border-line-strong"
      }`}
    >
      <header className="flex h-8 shrink-0 items-center gap-2 border-b border-line pr-1 pl-2.5 text-xs">
        {number <= 9 && <Kbd keys={String(number)} />}
        {tile.status ? (
          <StateMark status={tile.status} />
        ) : (
          <span className="flex shrink-0 items-center gap-1.5 text-faint">
            <SquareTerminal size={14} aria-label="Shell" /> {tile.hasEnded && "Ended"}
          </span>
        )}
        {tile.status && <AgentMark task={tile.task} wordClass="sr-only" />}
        <span title={tile.title} className="min-w-0 flex-1 truncate font-medium">
          {tile.title}
        </span>
        {isTyped ? (
          <span className="flex shrink-0 items-center gap-1.5 pr-1 text-faint">
            <Kbd keys="Control+`" /> to leave
          </span>
        ) : (
          <IconButton
            label={`Open ${tile.title}`}
            hint="F"
            tabIndex={-1}
            className="size-6"
            onClick={(event) => {
              event.stopPropagation();
              openTile(tile);
            }}
          >
            <Maximize2 size={14} />
          </IconButton>
        )}
      </header>
      <div inert={!isTyped} data-terminal className="min-h-0 flex-1">
        {(isSeen || isTyped) && <Picture tile={tile} isTyped={isTyped} />}
      </div>
    </article>
  );
}

function Picture({ tile: { key, task, shell }, isTyped }: { tile: Tile; isTyped: boolean }) {
  if (shell === undefined && !STARTED.includes(task.sessionStatus)) {
    return <p className="p-4 text-center text-sm text-muted">{displayStatus(task).word}</p>;
  }
  return (
    <TerminalView
      key={key}
      taskId={task.id}
      {...(shell !== undefined && { shell: shell.id })}
      isTile
      isReadOnly={!isTyped}
      takesFocus={() => typedTile.get() === key}
      onLeave={() => typedTile.set(null)}
    />
  );
}

const STARTED: Tile["task"]["sessionStatus"][] = ["running", "waiting_for_input", "done", "failed"];

/** A tile that is scrolled out of view has no terminal, unless somebody is typing into it. */
function useIsSeen(element: React.RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => setIsSeen(entries.at(-1)?.isIntersecting ?? false), // the newest comes last
      { rootMargin: "80px" },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return isSeen;
}
