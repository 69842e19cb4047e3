import { ChevronDown } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { DEFAULT_AGENT, LIMITS, type TaskStatus } from "../../../contract.ts";
import { useAgents } from "../../shared/api/agents.ts";
import type { Project } from "../../shared/api/rows.ts";
import { recallAgent, rememberAgent } from "../../shared/stores/agent-memory.ts";
import { focus } from "../../shared/stores/focus.ts";
import { useStore } from "../../shared/stores/store.ts";
import { view } from "../../shared/stores/view.ts";
import { Button } from "../../shared/ui/button.tsx";
import { isComposing } from "../../shared/ui/composing.ts";
import { MOD_NAME } from "../../shared/ui/kbd.tsx";
import { agentWord } from "../../tasks/agent/agent-mark.tsx";
import { createTask } from "../../tasks/changes.ts";
import { COLUMN_NAMES } from "../../tasks/column-names.ts";
import { whenCreated } from "../../tasks/creations.ts";
import { perform } from "../../tasks/perform.ts";
import { composing, newTitle, returnToBoard, shown } from "./board-state.ts";

/** Remembered while the page is open, so that several tasks for one project need only one choice. */
let lastProjectId: string | undefined;

/** One line: type, Enter, and the next one. */
export function Composer({ status, projects }: { status: TaskStatus; projects: Project[] }) {
  const shownProjectId = useStore(view, ({ projectId }) => projectId);
  const fallback = projects.find(({ id }) => id === lastProjectId) ?? projects[0];
  const [chosenId, setChosenId] = useState(fallback?.id);
  const text = useStore(newTitle);
  const opening = useStore(composing);
  const field = useRef<HTMLInputElement>(null);
  const projectId = shownProjectId ?? chosenId;
  const [agents, agent, chooseAgent] = useAgentChoice(projects.find(({ id }) => id === projectId));

  // biome-ignore lint/correctness/useExhaustiveDependencies: asking for a field that is open already means to type in it
  useLayoutEffect(() => field.current?.focus(), [opening]);

  /** Makes the new card the current one, for when the person stops typing here. */
  function submit(isStarted: boolean) {
    const title = text.trim();
    if (title === "" || projectId === undefined) return;
    lastProjectId = projectId;
    const key = createTask({ projectId, title, status, agent });
    focus.set({ id: key, wanted: false });
    newTitle.set("");
    if (isStarted) void whenCreated(key).then((task) => task && perform(task, "start"));
  }

  function close() {
    newTitle.set("");
    composing.set(null);
  }

  return (
    <form
      className="enter @container mx-3 mb-2 rounded-ui border border-accent/60 bg-card px-3 py-2"
      onSubmit={(event) => event.preventDefault()}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget) && text.trim() === "") close();
      }}
    >
      <input
        ref={field}
        aria-label={`New task in ${COLUMN_NAMES[status]}`}
        placeholder="What needs to be done?"
        value={text}
        maxLength={LIMITS.title}
        enterKeyHint="done"
        autoComplete="off"
        onChange={(event) => newTitle.set(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event.nativeEvent)) return;
          if (event.key === "Enter") submit(event.ctrlKey || event.metaKey);
          if (event.key !== "Escape") return;
          close();
          returnToBoard(focus.get().id ?? shown.get()[status][0]?.id ?? null);
        }}
        className="w-full bg-transparent font-medium outline-none touch:text-lg"
      />
      <div className="mt-1 flex flex-wrap items-center justify-between gap-y-1 text-xs text-faint">
        <span className="flex min-w-0 items-center gap-3">
          {shownProjectId === null && projects.length > 1 ? (
            <Choice
              label="Project"
              value={projectId}
              choices={projects.map(({ id, name }) => [id, name])}
              onChoose={(id) => {
                lastProjectId = id;
                setChosenId(id);
              }}
            />
          ) : (
            <span className="truncate">{projects.find(({ id }) => id === projectId)?.name}</span>
          )}
          {agents.length > 1 && (
            <Choice
              label="Agent"
              value={agent}
              choices={agents.map(({ name, label }) => [name, label])}
              onChoose={chooseAgent}
            />
          )}
        </span>
        <span aria-hidden className="hidden shrink-0 pl-3 @xs:inline touch:hidden">
          ↵ create · {MOD_NAME} ↵ and start · Esc close
        </span>
        {/* A phone's keyboard has neither Ctrl nor Esc. */}
        <div className="hidden gap-1 touch:flex">
          <Button look="quiet" onMouseDown={stay} onClick={() => submit(true)}>
            Create and start
          </Button>
          <Button onMouseDown={stay} onClick={() => submit(false)}>
            Create
          </Button>
        </div>
      </div>
    </form>
  );
}

/**
 * The agents that can be chosen, and the one that is: for this line, by the project, or as it was last time. What isn't
 * installed is chosen in the card, where it says what is missing.
 */
function useAgentChoice(project: Project | undefined) {
  const { data } = useAgents();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const agents = (data?.agents ?? []).filter(({ available }) => available);
  const id = project?.id ?? "";
  const remembered = project?.agent ?? recallAgent(id);
  const last = agents.find(({ name }) => name === remembered)?.name ?? project?.agent ?? undefined;
  const choose = (agent: string) => {
    setChosen({ ...chosen, [id]: agent });
    if (project?.agent === null) rememberAgent(id, agent);
  };
  return [agents, chosen[id] ?? last, choose] as const;
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  choices: [value: string, words: string][];
  onChoose(value: string): void;
}

/** A choice that looks like the text beside it. */
function Choice({ label, value = DEFAULT_AGENT, choices, onChoose }: ChoiceProps) {
  const isKnown = choices.some(([one]) => one === value);
  return (
    <label className="relative flex min-w-0 items-center gap-0.5 rounded hover:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent touch:min-h-11">
      <span className="sr-only">{label}</span>
      <select
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="max-w-40 min-w-0 appearance-none truncate bg-transparent pr-4 outline-none"
      >
        {!isKnown && <option value={value}>{agentWord(value)}</option>}
        {choices.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      <ChevronDown size={12} className="pointer-events-none absolute right-0" />
    </label>
  );
}

/** The line keeps the keyboard. */
const stay = (event: React.MouseEvent) => event.preventDefault();
