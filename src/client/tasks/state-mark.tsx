import {
  Circle,
  CircleAlert,
  CircleCheck,
  CircleQuestionMark,
  CircleX,
  Hourglass,
  MessageCircle,
  MessageCircleCheck,
  ShieldQuestionMark,
  TriangleAlert,
} from "lucide-react";
import type { ReactNode } from "react";
import type { DisplayStatus, Group, Shape } from "./display-status.ts";

export const COLORS: Record<Group, string> = {
  needs: "text-needs",
  failed: "text-failed",
  finished: "text-finished",
  working: "text-working",
  idle: "text-muted",
};

const FILLED = "fill-needs stroke-card";

/** Every status has its own shape, for people who can't tell the colours apart. */
const SHAPES: Record<Shape, ReactNode> = {
  needs: <CircleAlert size={14} className={FILLED} />,
  permission: <ShieldQuestionMark size={14} className={FILLED} />,
  question: <CircleQuestionMark size={14} className={FILLED} />,
  trouble: <TriangleAlert size={14} className={FILLED} />,
  failed: <CircleX size={14} />,
  finished: <CircleCheck size={14} />,
  turn: <MessageCircleCheck size={14} />,
  background: (
    <span className="relative flex size-3.5 items-center justify-center">
      <MessageCircle size={14} />
      <span className="slow-pulse absolute size-1.5 rounded-full bg-working" />
    </span>
  ),
  working: (
    <span className="flex size-3.5 items-center justify-center">
      <span className="slow-pulse size-2 rounded-full bg-working" />
    </span>
  ),
  limited: <Hourglass size={13} className="text-needs" />,
  idle: <Circle size={14} className="text-idle" />,
};

/** The status as a shape and a word, in its colour. */
export function StateMark({ status: { group, word, shape } }: { status: DisplayStatus }) {
  return (
    <span
      data-state={group}
      className={`inline-flex shrink-0 items-center gap-1 font-medium ${COLORS[group]}`}
    >
      <span aria-hidden>{SHAPES[shape]}</span>
      {word}
    </span>
  );
}
