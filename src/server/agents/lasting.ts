// What counts only once it has lasted, and when it is worth another look.

export type Lasted = (since: number, ms: number) => boolean;

export function createLasting(now: number): { lasted: Lasted; due: number[] } {
  const due: number[] = [];
  const lasted: Lasted = (since, ms) => {
    if (now - since >= ms) return true;
    due.push(since + ms);
    return false;
  };
  return { lasted, due };
}
