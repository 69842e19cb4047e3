import { availableParallelism } from "node:os";

/** Two more than cores: many tests wait for a clock most of their time. */
export const LANES = availableParallelism() + 2;

/** Works through the items in their order, so many at a time. */
export async function inLanes<Item, Result>(
  items: Item[],
  count: number,
  work: (item: Item, lane: number) => Promise<Result>,
): Promise<Result[]> {
  const waiting = [...items];
  const results: Result[] = [];
  const lanes = Array.from({ length: count }, async (_, lane) => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await work(item, lane));
  });
  await Promise.all(lanes);
  return results;
}
