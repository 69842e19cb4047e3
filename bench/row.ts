/** One line of the report. `ratio` compares two things measured in the same run; `target` says what is good. */
export interface Row {
  name: string;
  value: number;
  unit: string;
  ratio?: number;
  against?: string;
  target?: string;
}

export const median = (values: number[]) => quantile(values, 0.5);

export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** Milliseconds each of `count` calls took, after a few that warm up. */
export async function timings(count: number, call: () => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count + 5; i += 1) {
    const start = performance.now();
    await call();
    if (i >= 5) times.push(performance.now() - start);
  }
  return times;
}
