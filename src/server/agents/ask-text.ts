// How what agents ask is worded, and cut to what a card shows.
import type { AskQuestion } from "../../contract.ts";

export const SUMMARY_LENGTH = 200;

export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > SUMMARY_LENGTH ? `${line.slice(0, SUMMARY_LENGTH - 1)}…` : line;
}

/** Cuts text that is too long, and says so. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text.toWellFormed();
  const note = `\n… and ${(text.length - limit).toLocaleString("en")} characters more; its terminal has all of it.`;
  return text.slice(0, limit - note.length).toWellFormed() + note;
}

/** Questions in full, with the answers to choose from. */
export const questionDetail = (questions: AskQuestion[]) =>
  questions
    .map(({ question, options }) =>
      [
        question,
        ...options.map(({ label, description }) => `- ${label}${description ? `: ${description}` : ""}`),
      ].join("\n"),
    )
    .join("\n\n");
