// What is shown on top of and below the terminal's picture.
import { ArrowDown, Maximize, RotateCw } from "lucide-react";
import { useStore } from "../../shared/stores/store.ts";
import { Button } from "../../shared/ui/button.tsx";
import { Kbd } from "../../shared/ui/kbd.tsx";
import { MiddleCut } from "../../shared/ui/middle-cut.tsx";
import type { ConnectionState } from "../connection/socket.ts";
import { platform } from "../input/keyboard.ts";
import { splitAfterHost } from "../links-and-find/claimed-host.ts";
import type { Target } from "../links-and-find/links.ts";
import type { Terminal } from "../terminal.ts";
import { PasteQuestion } from "./paste-question.tsx";

/** Covers the last picture while there is no connection. It fades in late, so that nobody notices short gaps. */
export function ConnectionVeil({ terminal }: { terminal: Terminal }) {
  const connection = useStore(terminal.status, (status) => status.connection);
  const text = connectionInWords(connection);
  return (
    <div
      data-connection={connection.kind}
      role="status"
      className={text === undefined ? "sr-only" : "terminal-veil"}
    >
      {text !== undefined && (
        <span className="mx-4 max-w-lg rounded-ui bg-raised px-3 py-1.5 text-sm text-muted shadow-float">
          {text}
        </span>
      )}
    </div>
  );
}

function connectionInWords(connection: ConnectionState): string | undefined {
  if (connection.kind === "connecting") return "Connecting…";
  if (connection.kind === "reconnecting") return "Reconnecting… What you type isn't sent.";
  return connection.kind === "unreachable" ? connection.reason : undefined;
}

/** Below the picture, so that it never covers a line. */
export function Footer({ terminal }: { terminal: Terminal }) {
  const link = useStore(terminal.status, (status) => status.link);
  const title = useStore(terminal.status, (status) => status.title);
  const ending = endingOf(useStore(terminal.status, (status) => status.connection));
  return (
    <footer
      className={`flex h-7 shrink-0 items-center gap-3 border-t border-line px-3 text-xs text-faint ${
        ending === undefined ? "touch:hidden" : "touch:h-11"
      }`}
    >
      <span role="status" className={ending === undefined ? "hidden" : "mr-auto text-sm text-text"}>
        {ending}
      </span>
      <span className={`flex min-w-0 ${ending === undefined ? "mr-auto" : ""}`}>
        {link === undefined ? <span className="truncate">{title}</span> : <LeadsTo {...link} />}
      </span>
      <Size terminal={terminal} />
      <Below terminal={terminal} />
      <Keyboard hasEnded={ending !== undefined} />
    </footer>
  );
}

/** Where keys go now, and the shortcut that changes it. */
function Keyboard({ hasEnded }: { hasEnded: boolean }) {
  const row = "shrink-0 items-center gap-1.5";
  return (
    <span className="contents touch:hidden">
      <span className={`hidden group-has-[.terminal-field:focus]/terminal:flex ${row}`}>
        {!hasEnded && <span className="font-medium text-accent">Keys go to the program</span>}
        <Kbd keys="Control+`" /> to leave
      </span>
      <span className={`flex group-has-[.terminal-field:focus]/terminal:hidden ${row}`}>
        {!hasEnded && "Keys go to banto"}
        <Kbd keys="Control+`" /> to {hasEnded ? "enter" : "type here"}
      </span>
    </span>
  );
}

/** The end of the host name stays visible when space is short, because it says whose site it is. */
function LeadsTo({ address, claims }: Target) {
  const [upToHost, rest] = splitAfterHost(address);
  return (
    <>
      {claims !== undefined && <span className="mr-2 shrink-0 font-medium text-failed">Not {claims}:</span>}
      <span className="mr-1 shrink-0">{platform === "mac" ? "⌘" : "Ctrl"} click opens</span>
      <MiddleCut text={upToHost} className="shrink-[0.01]" />
      <span className="truncate">{rest}</span>
    </>
  );
}

/** The footer's buttons, for touch screens, which have no room for a footer. */
export function FloatingButtons({ terminal }: { terminal: Terminal }) {
  return (
    <div className="absolute right-2 bottom-2 hidden max-w-[calc(100%-1rem)] flex-col items-end gap-2 touch:flex">
      <Size terminal={terminal} />
      <Below terminal={terminal} />
    </div>
  );
}

function Size({ terminal }: { terminal: Terminal }) {
  const { size, fit, connection } = useStore(terminal.status);
  if (connection.kind !== "live" || (size.cols === fit.cols && size.rows === fit.rows)) return null;
  return (
    <span className="terminal-late flex max-w-full shrink-0 items-center gap-1.5 rounded-ui touch:bg-raised touch:pl-3 touch:shadow-float">
      <span className="@xl:hidden">
        {size.cols} × {size.rows}
      </span>
      <span className="hidden @xl:inline">
        Sized for another window ({size.cols} × {size.rows})
      </span>
      <Button look="quiet" className="h-6 shrink-0 px-1.5 text-xs text-text" onClick={terminal.takeSize}>
        <Maximize size={14} /> Use this window's size
      </Button>
    </span>
  );
}

function Below({ terminal }: { terminal: Terminal }) {
  const below = useStore(terminal.status, (status) => status.below);
  if (below === 0) return null;
  return (
    <Button
      look="quiet"
      className="h-6 px-1.5 text-xs text-text tabular-nums touch:bg-raised touch:px-3 touch:shadow-float"
      onClick={() => terminal.scrollToBottom()}
    >
      <ArrowDown size={14} /> {below} {below === 1 ? "line" : "lines"} below
    </Button>
  );
}

export function Notices({ terminal }: { terminal: Terminal }) {
  const paste = useStore(terminal.status, (status) => status.paste);
  const problem = useStore(terminal.status, (status) => status.problem);
  if (paste !== undefined) return <PasteQuestion terminal={terminal} text={paste} />;
  if (problem === undefined) return null;
  const { retry } = problem;
  const answer = (act: () => void) => () => {
    act();
    terminal.focus();
  };
  return (
    <div
      role="alert"
      className="enter absolute inset-x-0 bottom-0 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-raised px-4 py-2 text-sm text-muted"
    >
      <span className="mr-auto">{problem.text}</span>
      <Button look="quiet" onClick={answer(terminal.dismissProblem)}>
        Dismiss
      </Button>
      {retry && <Button onClick={answer(retry)}>Try again</Button>}
      {problem.isFatal && (
        <Button onClick={() => terminal.restart()}>
          <RotateCw size={14} /> Show again
        </Button>
      )}
    </div>
  );
}

/** Flashes when the bell rings. */
export function Bell({ terminal }: { terminal: Terminal }) {
  const bells = useStore(terminal.status, (status) => status.bells);
  return bells === 0 ? null : <div key={bells} className="terminal-bell" />;
}

function endingOf(connection: ConnectionState): string | undefined {
  if (connection.kind === "no-session") return "There is no session here.";
  if (connection.kind === "signed-out") return "You have signed out.";
  if (connection.kind !== "ended") return undefined;
  if (connection.signal !== null) return `The program was ended by ${connection.signal}.`;
  return connection.code === 0
    ? "The program has ended."
    : `The program ended with exit code ${connection.code}.`;
}
