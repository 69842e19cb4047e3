import { useEffect, useRef, useState } from "react";
import { Button } from "../../shared/ui/button.tsx";
import { openTerminal } from "../open-terminal.ts";
import type { Terminal, TerminalElements } from "../terminal.ts";
import { FindBar } from "./find-bar.tsx";
import { KeyBar } from "./key-bar.tsx";
import { watchKeyboard } from "./keyboard-inset.ts";
import { Bell, ConnectionVeil, FloatingButtons, Footer, Notices } from "./notices.tsx";
import { Reader } from "./reader.tsx";
import { TouchMenu } from "./touch-menu.tsx";
import { DropTarget, UploadProgress } from "./upload.tsx";

export interface ViewProps {
  taskId: string;
  /** One of the task's shells; without it, its agent. */
  shell?: string;
  /** One of many on a page: without footer, and with at least 80 columns. */
  isTile?: boolean;
  /** It has no say in the session's size. */
  isReadOnly?: boolean;
  /** Whether to take the focus once it is open. Yes by default. */
  takesFocus?(): boolean;
  /** Ctrl ` was pressed: the focus should go elsewhere. */
  onLeave(): void;
  onTitle?(title: string): void;
}

const TILE_COLS = 80;

const socketPathOf = ({ taskId, shell }: ViewProps) =>
  shell === undefined ? `/api/tasks/${taskId}/terminal` : `/api/tasks/${taskId}/shells/${shell}/terminal`;

export function View(props: ViewProps) {
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
  const socketPath = socketPathOf(props);
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
    const { isTile = false, isReadOnly = false } = handlers.current;
    return openTerminal({
      socketPath,
      filesPath,
      elements,
      isReadOnly,
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
  }, [socketPath, filesPath, failure]);

  useEffect(() => (section.current ? watchKeyboard(section.current) : undefined), []);

  const { isTile = false, isReadOnly = false } = props;
  useEffect(() => terminal?.setReadOnly(isReadOnly), [terminal, isReadOnly]);

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
    <section
      ref={section}
      aria-label="Terminal"
      className="group/terminal @container flex h-full min-h-0 w-full flex-col"
    >
      <div className="relative min-h-0 flex-1 overflow-clip">
        <div
          ref={box}
          className="terminal-frame terminal-in-sight cursor-text touch-none overflow-hidden bg-ground select-none"
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
        {/* For screen readers: the whole screen to read, and new lines that are announced. */}
        <pre ref={screen} className="sr-only" data-screen />
        <div ref={aloud} aria-live="polite" className="sr-only" />
        {terminal && (
          <>
            <Bell terminal={terminal} />
            <ConnectionVeil terminal={terminal} />
            {!isTile && <FloatingButtons terminal={terminal} />}
            <DropTarget terminal={terminal} />
            <UploadProgress terminal={terminal} />
            <Notices terminal={terminal} />
            <div className="terminal-in-sight pointer-events-none">
              <TouchMenu terminal={terminal} />
            </div>
            {isFinding && <FindBar field={findField} terminal={terminal} onClose={closeFind} />}
            {isReading && <Reader terminal={terminal} onClose={closeReader} />}
          </>
        )}
        {failure !== undefined && <Failure message={failure} onRetry={() => setFailure(undefined)} />}
      </div>
      {!isTile &&
        (terminal ? <Footer terminal={terminal} /> : <div className="h-7 shrink-0 touch:h-[45px]" />)}
      {!(isTile && isReadOnly) && terminal && <KeyBar terminal={terminal} />}
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
