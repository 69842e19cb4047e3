import { useUsage } from "../../shared/api/usage.ts";
import { usd } from "../../tasks/figures.ts";
import { Chart, dayName } from "./chart.tsx";

/** What one task has cost, day by day. */
export function TaskCost({ taskId }: { taskId: string }) {
  const { data } = useUsage(null);
  const total = data?.tasks.find((task) => task.taskId === taskId);
  if (data === undefined || total === undefined) return null;
  const bars = data.days.map(({ date, tasks }) => ({
    date,
    costUsd: tasks.find((task) => task.taskId === taskId)?.costUsd ?? 0,
  }));
  return (
    <section
      aria-label="Cost of this task"
      className="mb-3 rounded-ui border border-line bg-card px-3 py-2.5"
    >
      <h3 className="flex items-baseline gap-2 text-sm">
        Cost in the last {bars.length} days
        <span className="ml-auto font-semibold tabular-nums">{usd(total.costUsd)}</span>
      </h3>
      <div className="mt-2">
        <Chart bars={bars} />
      </div>
      <ul className="sr-only">
        {bars
          .filter(({ costUsd }) => costUsd > 0)
          .map(({ date, costUsd }) => (
            <li key={date}>
              {dayName(date)}: {usd(costUsd)}
            </li>
          ))}
      </ul>
    </section>
  );
}
