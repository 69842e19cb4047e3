import type { Task } from "../shared/api/rows.ts";
import { clock, describe, isNearlyFull, limitsOf, percent, pressingLimit, usd } from "./figures.ts";
import { useGauges } from "./glimpses.ts";

/** An agent's most important figures, in the last line of a card where there is room; all of them on hover. */
export function CardGauges({ task }: { task: Task }) {
  const gauges = useGauges(task.id, task.sessionId);
  if (gauges === null) return null;
  const limit = pressingLimit(gauges);
  return (
    <span data-gauges title={describe(gauges)} className="hidden items-center gap-1.5 tabular-nums @3xs:flex">
      {limit && (
        <span className="hidden text-needs @xs:inline">
          {limit.name} {percent(limit.usedPercent)}
        </span>
      )}
      {gauges.contextPercent !== null && gauges.contextPercent > 0 && (
        <span className={isNearlyFull(gauges) ? "text-needs" : "hidden @xs:inline"}>
          <span className="sr-only">context </span>
          {percent(gauges.contextPercent)}
        </span>
      )}
      {gauges.costUsd !== null && gauges.costUsd > 0 && (
        <span className="hidden @xs:inline">{usd(gauges.costUsd)}</span>
      )}
    </span>
  );
}

/** All of them. */
export function PanelGauges({ task }: { task: Task }) {
  const gauges = useGauges(task.id, task.sessionId);
  if (gauges === null) return null;
  const { model, contextPercent, costUsd, version } = gauges;
  return (
    <dl data-gauges className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted tabular-nums">
      {model && (
        <Figure name="Model">
          <span {...(version && { title: `Version ${version}` })}>{model}</span>
        </Figure>
      )}
      {contextPercent !== null && (
        <Figure name="Context">
          <Bar value={contextPercent} isNear={isNearlyFull(gauges)} /> {percent(contextPercent)}
        </Figure>
      )}
      {costUsd !== null && costUsd > 0 && <Figure name="Cost">{usd(costUsd)}</Figure>}
      {limitsOf(gauges).map(({ name, usedPercent, resetsAt }) => (
        <Figure key={name} name={`${name} limit`}>
          {percent(usedPercent)}
          {resetsAt && <span className="text-faint">, resets {clock(resetsAt)}</span>}
        </Figure>
      ))}
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex items-center gap-1.5">
      <dt className="text-faint">{name}</dt>
      <dd className="flex items-center gap-1.5 whitespace-nowrap">{children}</dd>
    </div>
  );
}

function Bar({ value, isNear }: { value: number; isNear: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 40 4"
      className={`h-1 w-10 ${isNear ? "text-needs" : "text-working"}`}
    >
      <rect width="40" height="4" rx="2" className="fill-line-strong" />
      <rect width={Math.min(100, value) * 0.4} height="4" rx="2" fill="currentColor" />
    </svg>
  );
}
