import { ShieldOff } from "lucide-react";
import type { Task } from "../../shared/api/rows.ts";
import { activityOf } from "../display-status.ts";

/** What a running agent may do without asking, where that is known. Loud only where nothing holds it back. */
export function PermissionsLine({ task, className = "" }: { task: Task; className?: string }) {
  const permissions = activityOf(task)?.permissions;
  if (permissions === undefined) return null;
  const { allows, isUnlimited } = permissions;
  return (
    <p
      data-permissions
      title={allows}
      className={`flex min-w-0 items-center gap-1 text-xs ${isUnlimited ? "font-medium text-needs" : "text-faint"} ${className}`}
    >
      {isUnlimited && <ShieldOff size={12} aria-hidden className="shrink-0" />}
      <span className="min-w-0 truncate">{allows}</span>
    </p>
  );
}
