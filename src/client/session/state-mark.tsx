import { Circle, CircleAlert, CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import type { Group, Standing } from "./standing.ts";

export const COLORS: Record<Group, string> = {
  needs: "text-needs",
  failed: "text-failed",
  finished: "text-finished",
  working: "text-working",
  idle: "text-muted",
};

/** Every state has a shape of its own, for whoever can't tell the colours apart. */
const SHAPES: Record<Group, ReactNode> = {
  needs: <CircleAlert size={14} className="fill-needs stroke-card" />,
  failed: <CircleX size={14} />,
  finished: <CircleCheck size={14} />,
  working: (
    <span className="flex size-3.5 items-center justify-center">
      <span className="slow-pulse size-2 rounded-full bg-working" />
    </span>
  ),
  idle: <Circle size={14} className="text-idle" />,
};

/** The state as a shape and a word, in its colour. */
export function StateMark({ standing: { group, word } }: { standing: Standing }) {
  return (
    <span
      data-state={group}
      className={`inline-flex shrink-0 items-center gap-1 font-medium ${COLORS[group]}`}
    >
      <span aria-hidden>{SHAPES[group]}</span>
      {word}
    </span>
  );
}
