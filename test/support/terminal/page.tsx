// A page that is nothing but a terminal, for tests of the terminal.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { TerminalView } from "../../../src/client/terminal/terminal-view.tsx";
import "../../../src/client/shared/stores/theme.ts";

const root = document.querySelector("#root");
if (root === null) throw new Error("page.html has no #root");

const query = new URLSearchParams(location.search);
const shell = query.get("shell");

createRoot(root).render(
  <StrictMode>
    <main className="flex h-dvh flex-col">
      <button
        type="button"
        id="outside"
        className="h-7 shrink-0 border-b border-line px-2 text-left text-xs text-faint"
      >
        outside
      </button>
      <div className="min-h-0 flex-1">
        <TerminalView
          taskId={query.get("task") ?? ""}
          {...(shell !== null && { shell })}
          onLeave={() => document.querySelector<HTMLElement>("#outside")?.focus()}
          onTitle={(title) => {
            document.title = title;
          }}
        />
      </div>
    </main>
  </StrictMode>,
);
