import { EyeOff } from "lucide-react";
import type { Task } from "../shared/api/rows.ts";
import { activityOf } from "./display-status.ts";

const wordsFor = (task: Task) => {
  const less = activityOf(task)?.less;
  return less === undefined ? undefined : `banto sees less of this version. ${less}`;
};

/** On a card: what it says about its agent may be late or rough. */
export function SeesLessMark({ task }: { task: Task }) {
  const words = wordsFor(task);
  return (
    words && (
      <span className="flex items-center text-muted" title={words}>
        <EyeOff size={12} aria-label={words} />
      </span>
    )
  );
}

/** The same in the panel. */
export function SeesLess({ task }: { task: Task }) {
  const words = wordsFor(task);
  return words && <p className="text-xs break-words text-muted">{words}</p>;
}
