/**
 * When a row changed. Pages use it to tell older rows from newer ones, so it always increases, even if the clock was
 * set back.
 */
export const updatedAfter = ({ updatedAt }: { updatedAt: string }): string =>
  new Date(Math.max(Date.now(), Date.parse(updatedAt) + 1)).toISOString();
