import { type UsageReport, useUsage } from "../../shared/api/usage.ts";
import { openTab } from "../../shared/stores/tabs.ts";
import { usd } from "../../tasks/figures.ts";
import { Chart, dayName } from "./chart.tsx";

/** What agents have cost: a bar for each day, and the same as a table, by day and by task. */
export function Usage({ projectId }: { projectId: string | null }) {
  const { data } = useUsage(projectId);
  if (data === undefined) return null;
  if (data.tasks.length === 0) {
    return (
      <p className="mb-4 text-sm text-muted">
        No agent has reported a cost in the last {data.days.length} days.
      </p>
    );
  }
  return (
    <section aria-label="Cost" className="mb-6 rounded-ui border border-line bg-card px-4 py-3">
      <h2 className="flex items-baseline gap-2 text-sm font-medium">
        Cost in the last {data.days.length} days
        <span className="ml-auto text-lg font-semibold tabular-nums">{usd(data.totalUsd)}</span>
      </h2>
      <div className="mt-3">
        <Chart bars={data.days} />
      </div>
      <details className="mt-2 text-sm">
        <summary className="text-xs text-muted touch:py-3.5">By task and by day</summary>
        <div className="mt-2 grid gap-x-8 gap-y-4 lg:grid-cols-2">
          <ByTask tasks={data.tasks} />
          <ByDay days={data.days} />
        </div>
      </details>
    </section>
  );
}

const CELL = "py-1 align-top";

function ByTask({ tasks }: { tasks: UsageReport["tasks"] }) {
  return (
    <table className="w-full table-fixed self-start text-left">
      <caption className="sr-only">Cost by task</caption>
      <thead className="text-xs text-faint">
        <tr>
          <th className="font-normal">Task</th>
          <th className="w-20 text-right font-normal">Sessions</th>
          <th className="w-20 text-right font-normal">Cost</th>
        </tr>
      </thead>
      <tbody>
        {tasks.map(({ taskId, title, sessions, costUsd }) => (
          <tr key={taskId}>
            <td className={CELL}>
              <button
                type="button"
                title={title}
                onClick={() => openTab(taskId, "history")}
                className="block max-w-full truncate text-left hover:underline touch:min-h-11"
              >
                {title}
              </button>
            </td>
            <td className={`${CELL} text-right tabular-nums`}>{sessions}</td>
            <td className={`${CELL} text-right tabular-nums`}>{usd(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ByDay({ days }: { days: UsageReport["days"] }) {
  const spent = days.filter(({ costUsd }) => costUsd > 0).toReversed();
  return (
    <table className="w-full self-start text-left">
      <caption className="sr-only">Cost by day</caption>
      <thead className="text-xs text-faint">
        <tr>
          <th className="font-normal">Day (UTC)</th>
          <th className="text-right font-normal">Cost</th>
        </tr>
      </thead>
      <tbody>
        {spent.map(({ date, costUsd }) => (
          <tr key={date}>
            <td className={CELL}>{dayName(date)}</td>
            <td className={`${CELL} text-right tabular-nums`}>{usd(costUsd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
