// Parses "resets 3:48am (UTC)", "resets Nov 20, 3pm (Europe/Berlin)", "reset after 18h2m3s" or "retry in 27.1s".

const RESETS =
  /resets?\s+(?:at\s+)?(?:([A-Z][a-z]{2})[a-z]*\s+(\d{1,2})(?:,|\s+at)?\s+)?(\d{1,2})(?::(\d{2}))?\s*([ap]m)?(?:\s*\(([\w/+-]+)\))?/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

const DURATION =
  /(?:reset|retry|try again)s?\s+(?:after|in)\s+(?=\d)(?:(\d+)h)?\s*(?:(\d+)m(?!s))?\s*(?:([\d.]+)s)?/i;

function afterDuration(message: string, now: number): string | null {
  const [, hours = "0", minutes = "0", seconds = "0"] = DURATION.exec(message) ?? [];
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  return ms > 0 && ms < YEAR_MS ? new Date(now + Math.round(ms)).toISOString() : null;
}

/** The next such moment after now, as ISO 8601; null if the message has none. `here`: the zone where it names none. */
export function resetTime(message: string, now: number, here = "UTC"): string | null {
  const later = afterDuration(message, now);
  if (later !== null) return later;
  const found = RESETS.exec(message);
  if (found === null) return null;
  const [, month, day, hour = "0", minute = "0", half, zone = here] = found;
  const clock = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
  const ago = offsetOf(zone, now);
  if (ago === undefined) return null;
  const local = new Date(now + ago); // whose UTC fields are the zone's clock
  const at = Date.UTC(
    local.getUTCFullYear(),
    month === undefined ? local.getUTCMonth() : MONTHS.indexOf(month.toLowerCase()),
    day === undefined ? local.getUTCDate() : Number(day),
    clock,
    Number(minute),
  );
  if (Number.isNaN(at)) return null;
  const next = at > local.getTime() ? at : at + (month === undefined ? DAY_MS : YEAR_MS);
  return new Date(next - (offsetOf(zone, next - ago) ?? ago)).toISOString();
}

/** How far a zone's clock is ahead of UTC, in milliseconds. */
function offsetOf(timeZone: string, at: number): number | undefined {
  try {
    const format = new Intl.DateTimeFormat("en-CA", {
      ...{ timeZone, year: "numeric", month: "2-digit", day: "2-digit" },
      ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
    });
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
  } catch {
    return undefined; // no such zone
  }
}
