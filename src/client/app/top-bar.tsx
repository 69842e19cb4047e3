import { ChevronDown, Command, Monitor, Moon, Plus, Search, Sun } from "lucide-react";
import { useEffect } from "react";
import { LIMITS } from "../../contract.ts";
import { goToFirstMatch, openComposer, returnToBoard } from "../features/board/board-state.ts";
import { showBadge } from "../features/notify/badge.ts";
import { connection, reconnectNow } from "../shared/api/live.ts";
import type { Project } from "../shared/api/rows.ts";
import { focus, withdrawFocus } from "../shared/stores/focus.ts";
import { search } from "../shared/stores/search.ts";
import { useStore } from "../shared/stores/store.ts";
import { cycleTheme, theme } from "../shared/stores/theme.ts";
import { showPage, view } from "../shared/stores/view.ts";
import { Button, IconButton } from "../shared/ui/button.tsx";
import { isComposing } from "../shared/ui/composing.ts";
import { Kbd } from "../shared/ui/kbd.tsx";
import { openDialog } from "../shared/ui/open-dialog.ts";
import { useNeedCount } from "../tasks/needs.ts";
import { usePendingCount } from "../tasks/tasks.ts";
import { goToNextNeed } from "./next-need.ts";

export function TopBar({ projects }: { projects: Project[] }) {
  return (
    <header className="@container flex h-13 shrink-0 items-center gap-2 px-3 narrow:h-14 lg:border-b lg:border-line lg:pr-4 lg:pl-5">
      <ProjectSwitch projects={projects} />
      <SearchField />
      <div className="ml-auto flex items-center gap-1.5">
        <NeedsYou />
        <ConnectionDot />
        {projects.length > 0 && (
          <Button
            look="primary"
            className="narrow:hidden"
            onClick={() => {
              if (view.get().page !== "board") showPage("board");
              openComposer("backlog");
            }}
          >
            <Plus size={14} />
            <span className="@max-xl:sr-only">New task</span>
            <span className="pl-0.5 text-xs opacity-80 @max-xl:hidden">C</span>
          </Button>
        )}
        <ThemeSwitch />
        <IconButton
          label="Command palette"
          hint="Ctrl K"
          className="narrow:hidden"
          onClick={() => openDialog({ kind: "palette" })}
        >
          <Command size={16} />
        </IconButton>
      </div>
    </header>
  );
}

function ProjectSwitch({ projects }: { projects: Project[] }) {
  const projectId = useStore(view, (current) => current.projectId);
  const name = projects.find(({ id }) => id === projectId)?.name ?? "All projects";
  if (projects.length === 0) return <span className="pl-1 font-semibold">banto</span>;
  return (
    <button
      type="button"
      title="Switch project (O)"
      onClick={() => openDialog({ kind: "projects" })}
      className="-ml-1.5 flex h-8 min-w-0 items-center gap-1 rounded-md px-1.5 font-semibold hover:bg-line lg:max-w-60 lg:shrink-0 touch:h-11"
    >
      <span className="truncate">{name}</span>
      <ChevronDown size={14} className="shrink-0 text-faint" />
    </button>
  );
}

/** The question this page exists to answer. */
function NeedsYou() {
  const count = useNeedCount();
  useEffect(() => showBadge(count), [count]);
  if (count === 0) return null;
  return (
    <button
      type="button"
      title="Go to the next one (N)"
      onClick={() => goToNextNeed({ isOpening: true })}
      className="flex h-7 items-center gap-1.5 rounded-md px-2 text-sm font-medium whitespace-nowrap text-needs hover:bg-line narrow:hidden"
    >
      <span aria-hidden className="size-2 rounded-full bg-needs" />
      {count} {count === 1 ? "needs" : "need"} you
    </button>
  );
}

function SearchField() {
  const text = useStore(search);
  return (
    <label
      className={`flex h-8 shrink-0 items-center gap-2 rounded-md px-2 text-faint transition-[width] duration-150 focus-within:bg-line hover:bg-line lg:ml-2 lg:w-56 lg:min-w-20 lg:shrink touch:h-11 ${text === "" ? "narrow:w-8 narrow:touch:w-11 narrow:focus-within:w-40" : "narrow:w-40"}`}
    >
      <Search size={14} className="shrink-0" />
      <input
        id="search"
        type="search"
        aria-label="Search tasks"
        placeholder="Search"
        maxLength={LIMITS.query}
        value={text}
        onFocus={withdrawFocus}
        onChange={(event) => search.set(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent) || (event.key !== "Escape" && event.key !== "Enter")) return;
          event.currentTarget.blur();
          if (event.key === "Enter") return goToFirstMatch();
          search.set("");
          returnToBoard(focus.get().id);
        }}
        className="w-full min-w-0 bg-transparent text-sm text-text outline-none narrow:not-focus:placeholder:text-transparent [&::-webkit-search-cancel-button]:hidden touch:text-lg"
      />
      {text === "" && (
        <span className="narrow:hidden">
          <Kbd keys="/" />
        </span>
      )}
    </label>
  );
}

const CONNECTION = {
  connecting: { word: "Connecting…", color: "bg-idle", detail: "Waiting for the server." },
  live: { word: "Live", color: "bg-finished", detail: "Changes show up right away in every tab." },
  lost: { word: "Reconnecting…", color: "bg-needs", detail: "Couldn't reach the server. Click to retry." },
};

function ConnectionDot() {
  const state = useStore(connection);
  const pending = usePendingCount();
  const { word, color, detail } = CONNECTION[state];
  const waiting =
    state === "lost" && pending > 0 ? `${pending} ${pending === 1 ? "change" : "changes"} waiting` : null;
  return (
    <button
      type="button"
      aria-label={`Connection: ${word}`}
      title={[detail, waiting].filter(Boolean).join(" ")}
      onClick={() => state === "lost" && reconnectNow()}
      className="flex h-7 items-center justify-center gap-1.5 rounded-md px-1.5 text-xs text-muted touch:h-11 touch:min-w-11"
    >
      <span className={`size-2 rounded-full ${color}`} />
      {state === "lost" && <span>{waiting ?? word}</span>}
    </button>
  );
}

function ThemeSwitch() {
  const chosen = useStore(theme);
  const Icon = { system: Monitor, light: Sun, dark: Moon }[chosen];
  return (
    <IconButton label={`Theme: ${chosen}`} onClick={cycleTheme}>
      <Icon size={16} />
    </IconButton>
  );
}
