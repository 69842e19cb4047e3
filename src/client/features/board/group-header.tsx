import { GROUP_NAMES, type Group } from "../../tasks/display-status.ts";
import { COLORS } from "../../tasks/state-mark.tsx";

/** Heads a group of cards in Active. */
export function GroupHeader({ group, count }: { group: Group; count: number }) {
  return (
    <h3
      data-group={group}
      className={`flex items-center gap-1.5 px-2 pt-2 text-xs font-medium ${COLORS[group]}`}
    >
      {GROUP_NAMES[group]}
      <span className="text-faint tabular-nums">{count}</span>
    </h3>
  );
}
