import { usd } from "../../tasks/figures.ts";

export interface Bar {
  date: string;
  costUsd: number;
}

const HEIGHT = 72;
const STEP = 10;
const WIDTH = 7;

/** A UTC day in the reader's date format. */
export const dayName = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });

/** A bar for each day. A table or list beside it has the same figures for people who can't see it. */
export function Chart({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ costUsd }) => costUsd), 0.01);
  const tall = (costUsd: number) => (costUsd === 0 ? 1 : Math.max(2, (costUsd / most) * HEIGHT));
  return (
    <figure aria-hidden="true" data-chart>
      <svg
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-18 w-full"
        role="presentation"
      >
        {bars.map(({ date, costUsd }, index) => (
          <g key={date} className={costUsd === 0 ? "text-line-strong" : "text-accent"}>
            <title>{`${dayName(date)}: ${usd(costUsd)}`}</title>
            <rect x={index * STEP} width={STEP} height={HEIGHT} fill="transparent" />
            <rect
              x={index * STEP + (STEP - WIDTH) / 2}
              y={HEIGHT - tall(costUsd)}
              width={WIDTH}
              height={tall(costUsd)}
              rx={1}
              fill="currentColor"
            />
          </g>
        ))}
      </svg>
      <figcaption className="mt-1 flex justify-between text-xs text-faint tabular-nums">
        <span>{bars[0] && dayName(bars[0].date)}</span>
        <span>most {usd(most)} a day</span>
        <span>today</span>
      </figcaption>
    </figure>
  );
}
