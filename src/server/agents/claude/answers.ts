// A person's answer in the format of Claude Code's PermissionRequest hook.
import { DomainError } from "../../errors.ts";
import { requireText } from "../../text.ts";
import type { Answer } from "../reading.ts";
import { isQuestion, type OpenAsk, toAsk } from "./ask.ts";
import { grantsOf } from "./grants.ts";

const DENIED = "The person who supervises this task denied it.";
const UNANSWERED = "The person who supervises this task chose not to answer. Go on without an answer.";

export function answerBody(open: OpenAsk, answer: Answer): string {
  if (answer.decision !== "deny" && !toAsk(open).canAnswer) {
    throw new DomainError("conflict", "It is too long to be shown here; answer it in its terminal.");
  }
  const decision = isQuestion(open) ? toQuestion(open, answer) : toPermission(open, answer);
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
}

const messageOf = ({ message = "" }: Answer) => requireText("message", message).trim();

function toPermission(open: OpenAsk, answer: Answer) {
  if (answer.decision === "deny") return { behavior: "deny", message: messageOf(answer) || DENIED };
  if (answer.decision === "allow") return { behavior: "allow", ...inputOf(open) };
  const updatedPermissions = grantsOf(open.suggestions).map(({ update }) => update);
  if (updatedPermissions.length === 0)
    throw new DomainError("invalid", "decision: there is no “always” for this; allow it once, or deny it.");
  return { behavior: "allow", ...inputOf(open), updatedPermissions };
}

/** Newer versions take an answer to a plan only together with what was asked. */
const inputOf = ({ tool, input }: OpenAsk) => (tool === "ExitPlanMode" ? { updatedInput: input } : {});

function toQuestion(open: OpenAsk, answer: Answer) {
  if (answer.decision === "deny") return { behavior: "deny", message: messageOf(answer) || UNANSWERED };
  const { answers = {} } = answer;
  const asked = new Set((toAsk(open).questions ?? []).map(({ question }) => question));
  for (const [question, chosen] of Object.entries(answers)) {
    if (!asked.has(question)) throw new DomainError("invalid", `answers: nobody asked “${question}”.`);
    requireText("answers", chosen);
  }
  const missing = [...asked].find((question) => (answers[question] ?? "").trim() === "");
  if (missing !== undefined) throw new DomainError("invalid", `answers: “${missing}” is not answered.`);
  return { behavior: "allow", updatedInput: { ...open.input, answers } };
}
