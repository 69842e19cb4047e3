// A person's answer as the request that the plugin is to make of OpenCode.
import type { AskQuestion } from "../../../contract.ts";
import { DomainError } from "../../errors.ts";
import { requireText } from "../../text.ts";
import type { Answer } from "../reading.ts";
import { type OpenAsk, toAsk } from "./ask.ts";
import { textOf } from "./report.ts";

const DENIED = "The person who supervises this task denied it.";
const UNANSWERED = "The person who supervises this task chose not to answer. Go on without an answer.";

export function answerBody(open: OpenAsk, answer: Answer): string {
  const ask = toAsk(open);
  if (open.said === undefined || (answer.decision !== "deny" && !ask.canAnswer))
    throw new DomainError("conflict", "It is too long to be shown here; answer it in its terminal.");
  const path = `/${open.kind}/${textOf(open.said.id)}/reply`;
  const body =
    open.kind === "question" ? toQuestions(ask.questions ?? [], answer) : toPermission(ask, answer);
  return JSON.stringify({ path, body });
}

const messageOf = ({ message = "" }: Answer) => requireText("message", message).trim();

function toPermission({ always }: ReturnType<typeof toAsk>, answer: Answer) {
  // Without a message OpenCode would end the turn.
  if (answer.decision === "deny") return { reply: "reject", message: messageOf(answer) || DENIED };
  if (answer.decision === "allow") return { reply: "once" };
  if (always === null)
    throw new DomainError("invalid", "decision: there is no “always” for this; allow it once, or deny it.");
  return { reply: "always" };
}

/** Declining is an answer too: rejected, it would end the turn. */
function toQuestions(questions: AskQuestion[], answer: Answer) {
  if (answer.decision === "deny") {
    const words = messageOf(answer) || UNANSWERED;
    return { answers: questions.map(() => [words]) };
  }
  const { answers = {} } = answer;
  const stranger = Object.keys(answers).find((key) => !questions.some(({ question }) => question === key));
  if (stranger !== undefined) throw new DomainError("invalid", `answers: nobody asked “${stranger}”.`);
  return {
    answers: questions.map((question) => {
      const given = requireText("answers", answers[question.question] ?? "").trim();
      if (given === "") throw new DomainError("invalid", `answers: “${question.question}” is not answered.`);
      return question.multiple ? split(question, given) : [given];
    }),
  };
}

/** Several answers come as one text, joined, the labels in the order of the options. */
function split({ options }: AskQuestion, given: string): string[] {
  const chosen: string[] = [];
  let rest = given;
  for (const { label } of options) {
    if (rest !== label && !rest.startsWith(`${label}, `)) continue;
    chosen.push(label);
    rest = rest.slice(label.length + ", ".length);
  }
  return rest === "" ? chosen : [...chosen, rest];
}
