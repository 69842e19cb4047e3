// A person's answer in the form that the app-server expects.
import { DomainError } from "../../errors.ts";
import { requireText } from "../../text.ts";
import type { Answer } from "../reading.ts";
import { isQuestion, type OpenAsk, toAsk } from "./ask.ts";
import type { ChannelAnswer } from "./channel.ts";
import { list, text } from "./protocol.ts";

export function answerBody(open: OpenAsk, answer: Answer): ChannelAnswer {
  if (answer.decision !== "deny" && !toAsk(open).canAnswer) {
    throw new DomainError("conflict", "It can't be shown here in full; answer it in its terminal.");
  }
  const result = isQuestion(open) ? toQuestion(open, answer) : { decision: toDecision(open, answer) };
  const words = answer.decision === "deny" ? requireText("message", answer.message ?? "").trim() : "";
  const afterwards = { threadId: text(open.params.threadId), text: words };
  return { request: open.request, result, ...(words !== "" && { afterwards }) };
}

function toDecision(open: OpenAsk, { decision }: Answer): string {
  if (decision === "deny") return "decline";
  if (decision === "allow") return "accept";
  if (toAsk(open).always === null)
    throw new DomainError("invalid", "decision: there is no “always” for this; allow it once, or deny it.");
  return "acceptForSession";
}

/** Without an answer Codex goes on as it thinks best. */
function toQuestion(open: OpenAsk, { decision, answers = {} }: Answer) {
  if (decision === "deny") return { answers: {} };
  const asked = list(open.params.questions).map(({ id, question }) => ({
    id: text(id),
    question: text(question),
  }));
  for (const [question, chosen] of Object.entries(answers)) {
    if (!asked.some((one) => one.question === question))
      throw new DomainError("invalid", `answers: nobody asked “${question}”.`);
    requireText("answers", chosen);
  }
  const missing = asked.find(({ question }) => (answers[question] ?? "").trim() === "");
  if (missing !== undefined)
    throw new DomainError("invalid", `answers: “${missing.question}” is not answered.`);
  const given = asked.map(({ id, question }) => [id, { answers: [answers[question] ?? ""] }]);
  return { answers: Object.fromEntries(given) };
}
