import { Clock, TriangleAlert } from "lucide-react";
import type { Task } from "../shared/api/rows.ts";
import { visibleText } from "../shared/visible-text.ts";
import { needsPerson, openPrompts, promptWords } from "./prompts.ts";

/** On a card: the prompt that waits, and why. */
export function QueuedMark({ task }: { task: Task }) {
  const open = openPrompts(task);
  const [first] = open;
  if (first === undefined) return null;
  const isStuck = needsPerson(task, first);
  const Icon = isStuck ? TriangleAlert : Clock;
  const words = promptWords(task, first);
  const text = visibleText(first.text);
  return (
    <p
      data-queued
      title={`${words}\n${text}`}
      className={`mt-1 flex min-w-0 items-center gap-1 text-xs ${isStuck ? "text-needs" : "text-muted"}`}
    >
      <Icon size={12} aria-hidden className="shrink-0" />
      <span className="shrink-0">{isStuck ? words.split(/[.:] ?/, 1)[0] : "Queued"}:</span>
      <bdi className="min-w-0 truncate">{text.trim().split("\n", 1)[0]}</bdi>
      {open.length > 1 && (
        <span className="shrink-0">
          <span aria-hidden>+</span>
          <span className="sr-only">and </span>
          {open.length - 1}
        </span>
      )}
    </p>
  );
}
