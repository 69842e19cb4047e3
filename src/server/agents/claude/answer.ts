// A person's answer in the words Claude Code's PermissionRequest hook takes.
import { DomainError } from "../../errors.ts";
import { requireText } from "../../text.ts";
import type { Answer } from "../reading.ts";
import { isQuestion, type OpenAsk, toAsk } from "./ask.ts";

const DENIED = "The person who watches over this task denied it.";
const UNANSWERED = "The person who watches over this task does not want to answer; go on without.";

export function answerBody(open: OpenAsk, answer: Answer): string {
  const decision = isQuestion(open) ? toQuestion(open, answer) : toPermission(open, answer);
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
}

const messageOf = ({ message = "" }: Answer) => requireText("message", message).trim();

function toPermission(open: OpenAsk, answer: Answer) {
  if (answer.decision === "deny") return { behavior: "deny", message: messageOf(answer) || DENIED };
  if (answer.decision === "allow") return { behavior: "allow" };
  if (toAsk(open).always === null)
    throw new DomainError("invalid", "decision: there is no “always” for this; allow it once, or deny it.");
  // Whatever Claude would write into the project's settings holds for this session only.
  const updatedPermissions = open.suggestions.map((one) => ({ ...one, destination: "session" }));
  return { behavior: "allow", updatedPermissions };
}

function toQuestion(open: OpenAsk, answer: Answer) {
  if (answer.decision === "deny") return { behavior: "deny", message: messageOf(answer) || UNANSWERED };
  const { answers = {} } = answer;
  const asked = (toAsk(open).questions ?? []).map(({ question }) => question);
  for (const [question, chosen] of Object.entries(answers)) {
    if (!asked.includes(question)) throw new DomainError("invalid", `answers: nobody asked “${question}”.`);
    requireText("answers", chosen);
  }
  const missing = asked.find((question) => (answers[question] ?? "").trim() === "");
  if (missing !== undefined) throw new DomainError("invalid", `answers: “${missing}” is not answered.`);
  return { behavior: "allow", updatedInput: { ...open.input, answers } };
}
