import type { Ask } from "../../../contract.ts";
import { giveAnswer, startDenial } from "../../features/asks/answer.ts";
import type { Task } from "../../shared/api/rows.ts";
import { visibleText } from "../../shared/visible-text.ts";
import { askOf, takesPrompt } from "../../tasks/display-status.ts";
import { type Command, commandAbout, type OfTask } from "./command.ts";

/** Commands that answer the current card's ask, and the one that goes to its prompt field. */
export function answerCommands(ofTask: OfTask): Command[] {
  const withAsk = (
    fits: (ask: Ask) => boolean,
    run: (task: Task, ask: Ask) => void,
    hint: (ask: Ask) => string | null = ({ summary }) => summary,
  ) => {
    const find = () => {
      const task = ofTask();
      const ask = task && askOf(task);
      return task && ask?.canAnswer && fits(ask) ? { task, ask } : undefined;
    };
    return commandAbout(
      find,
      ({ task, ask }) => run(task, ask),
      ({ ask }) => visibleText(hint(ask) ?? ""),
    );
  };
  return [
    {
      id: "allow",
      title: "Allow the request",
      group: "Session",
      keys: ["a"],
      ...withAsk(
        ({ questions }) => questions === null,
        (task, ask) => giveAnswer(task, ask, "allow"),
      ),
    },
    {
      id: "deny",
      title: "Deny the request…",
      group: "Session",
      keys: ["d"],
      ...withAsk(() => true, startDenial),
    },
    {
      id: "always",
      title: "Always allow this",
      group: "Session",
      ...withAsk(
        ({ always }) => always !== null,
        (task, ask) => giveAnswer(task, ask, "always"),
        ({ always }) => always,
      ),
    },
    {
      id: "prompt",
      title: "Write the next prompt",
      group: "Session",
      keys: ["i"],
      ...commandAbout(
        () => promptField(ofTask()),
        (field) => field.focus(),
      ),
    },
  ];
}

/** The one in the panel if that is open, otherwise the card's. */
function promptField(task: Task | undefined): HTMLTextAreaElement | undefined {
  if (task === undefined || !takesPrompt(task)) return undefined;
  const fields = [...document.querySelectorAll<HTMLTextAreaElement>("[data-prompt]")];
  const own = fields.filter(({ dataset }) => dataset.prompt === task.id);
  return own.find((field) => field.closest("[data-panel]")) ?? own[0];
}
