import { useEffect, useRef, useState } from "react";
import { Button } from "../shared/ui/button.tsx";
import { DropPlace, Upload } from "./input/hand-over.tsx";
import { KeyBar } from "./input/key-bar.tsx";
import { watchKeyboard } from "./input/keyboard-inset.ts";
import { FindBar } from "./links-and-find/find-bar.tsx";
import { Bell, FloatingButtons, Footer, Notices, Veil } from "./notices.tsx";
import { openTerminal } from "./open-terminal.ts";
import { TouchMenu } from "./pointer-and-touch/touch-menu.tsx";
import { Reader } from "./read-aloud/reader.tsx";
import type { Terminal, TerminalElements } from "./terminal.ts";
import type { TerminalViewProps } from "./terminal-view.tsx";

const TILE_COLS = 80;

const socketPath = ({ taskId, shell }: TerminalViewProps) =>
  shell === undefined ? `/api/tasks/${taskId}/terminal` : `/api/tasks/${taskId}/shells/${shell}/terminal`;

export function View(props: TerminalViewProps) {
  const section = useRef<HTMLElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const screen = useRef<HTMLPreElement>(null);
  const aloud = useRef<HTMLDivElement>(null);
  const findField = useRef<HTMLInputElement>(null);
  const [terminal, setTerminal] = useState<Terminal>();
  const [failure, setFailure] = useState<string>();
  const [isFinding, setIsFinding] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const path = socketPath(props);
  const filesPath = `/api/tasks/${props.taskId}/files`;
  const handlers = useRef(props);
  handlers.current = props;

  useEffect(() => {
    if (failure !== undefined) return;
    const elements = {
      box: box.current,
      canvas: canvas.current,
      field: field.current,
      screen: screen.current,
      aloud: aloud.current,
    } as TerminalElements;
    const { isTile = false, isWatched = false } = handlers.current;
    return openTerminal({ path, filesPath }, elements, {
      isWatched,
      ...(isTile && { leastCols: TILE_COLS }),
      takesFocus: () => handlers.current.takesFocus?.() ?? true,
      onLeave: () => handlers.current.onLeave(),
      onTitle: (title) => handlers.current.onTitle?.(title),
      onFind: () => {
        setIsFinding(true);
        findField.current?.select(); // one that is open already
        findField.current?.focus();
      },
      onRead: () => setIsReading(true),
      onOpen: setTerminal,
      onFailure: setFailure,
    });
  }, [path, filesPath, failure]);

  useEffect(() => (section.current ? watchKeyboard(section.current) : undefined), []);

  const { isTile = false, isWatched = false } = props;
  useEffect(() => terminal?.watch(isWatched), [terminal, isWatched]);

  function closeFind() {
    setIsFinding(false);
    terminal?.find("");
    terminal?.focus();
  }

  function closeReader() {
    setIsReading(false);
    terminal?.focus();
  }

  return (
    <section ref={section} aria-label="Terminal" className="flex h-full min-h-0 w-full flex-col">
      <div className="relative min-h-0 flex-1">
        <div
          ref={box}
          className="absolute inset-0 cursor-text touch-none overflow-hidden bg-ground select-none"
        >
          <canvas
            ref={canvas}
            aria-hidden
            className="terminal-canvas absolute top-2 left-2 origin-top-left"
          />
          <textarea
            ref={field}
            aria-label="Terminal input"
            aria-description="Everything typed here goes to the program. Control and backquote leaves the terminal, Control Shift L shows it as text."
            aria-keyshortcuts="Control+` Control+Shift+L"
            autoCapitalize="off"
            autoComplete="off"
            autoCorrect="off"
            spellCheck={false}
            rows={1}
            className="terminal-field"
          />
        </div>
        {/* Read by whoever listens, at their own pace; only what is new is read aloud. */}
        <pre ref={screen} className="sr-only" data-screen />
        <div ref={aloud} aria-live="polite" className="sr-only" />
        {terminal && (
          <>
            <Bell terminal={terminal} />
            <Veil terminal={terminal} />
            {!isTile && <FloatingButtons terminal={terminal} />}
            <DropPlace terminal={terminal} />
            <Upload terminal={terminal} />
            <Notices terminal={terminal} />
            <TouchMenu terminal={terminal} />
            {isFinding && <FindBar field={findField} terminal={terminal} onClose={closeFind} />}
            {isReading && <Reader terminal={terminal} onClose={closeReader} />}
          </>
        )}
        {failure !== undefined && <Failure message={failure} onRetry={() => setFailure(undefined)} />}
      </div>
      {!isTile &&
        (terminal ? <Footer terminal={terminal} /> : <div className="h-7 shrink-0 touch:h-[45px]" />)}
      {/* A tile that is only watched has no use for keys. */}
      {!(isTile && isWatched) && terminal && <KeyBar terminal={terminal} />}
    </section>
  );
}

function Failure({ message, onRetry }: { message: string; onRetry(): void }) {
  return (
    <div
      role="alert"
      className="absolute inset-0 flex flex-col items-center justify-center gap-3 p-5 text-center"
    >
      <p className="text-muted">The terminal could not be started: {message}</p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
