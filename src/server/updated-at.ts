/**
 * The time of a row's change, which pages tell older rows from newer ones by: after the one before, also when the clock
 * was set back or has not gone on since.
 */
export const updatedAfter = ({ updatedAt }: { updatedAt: string }): string =>
  new Date(Math.max(Date.now(), Date.parse(updatedAt) + 1)).toISOString();
