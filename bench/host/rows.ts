// What a benchmark gives back: figures that were measured side by side in one run.

export interface Row {
  name: string;
  value: number;
  unit: string;
  /** Against the plain thing measured next to it; above 1 is better than plain for rates. */
  ratio?: number;
  /** What was aimed for, in words. */
  target?: string;
}

export const median = (values: number[]): number => percentile(values, 0.5);

export function percentile(values: number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}
