const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Nothing that a provider says about the time is believed beyond this. */
const longestMs = 8 * day;
/** So much of a message is read. What providers say of the time stands at its start. */
const readLength = 2_000;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day };

/**
 * When a provider can be asked again, by its headers or else by what it says, in milliseconds since 1970; undefined if neither tells. `now` decides
 * what "in 20 minutes" and "at 3 pm" mean.
 */
export function retryTime(whole: string, now: number, headers: Readonly<Record<string, string>> = {}): number | undefined {
  const message = whole.slice(0, readLength);
  const at = headerTime(headers, now) ?? epochTime(message) ?? dateTime(message) ?? durationTime(message, now) ?? dayTime(message, now);
  return at !== undefined && at > now && at - now <= longestMs ? at : undefined;
}

function headerTime(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const ms = Number(named.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return now + ms;
  const after = named.get('retry-after');
  if (after === undefined) return undefined;
  const seconds = Number(after);
  if (Number.isFinite(seconds)) return now + seconds * second;
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : date;
}

/** "limit reached|1763900000", "resets at 1763900000". */
function epochTime(message: string): number | undefined {
  const [, digits] = /(?:reset\w*\D{0,20}|\|)(1\d{9}|1\d{12})\b/i.exec(message) ?? [];
  return digits === undefined ? undefined : Number(digits) * (digits.length === 10 ? second : 1);
}

/** "resets at 2026-11-23T04:00:00Z". One without a zone is taken for UTC, as servers mean it. */
function dateTime(message: string): number | undefined {
  const [, date, time, zone = 'Z'] =
    /\b(20\d\d-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(Z|UTC|[+-]\d\d:?\d\d)?/.exec(message) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const parsed = Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : zone}`);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** "try again in 1h 20m", "retry after 37 seconds", "resets in 4 hours and 5 minutes". */
function durationTime(message: string, now: number): number | undefined {
  const asked =
    /\b(?:in|after|within|for)\s+((?:(?:about|and|,)?\s*\d+(?:\.\d+)?\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)(?![a-z])\s*)+)/i;
  if (!/try|retry|again|reset|wait|available|renew|limit/i.test(message)) return undefined;
  const [, words] = asked.exec(message) ?? [];
  if (words === undefined) return undefined;
  let sum = 0;
  for (const [, amount = '0', unit = ''] of words.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const short = unit.toLowerCase();
    sum += Number(amount) * (units[short.startsWith('ms') || short.startsWith('milli') ? 'ms' : short.charAt(0)] ?? 0);
  }
  return sum > 0 ? now + sum : undefined;
}

/** "resets 3pm", "resets at 14:30 UTC": the next such time, of this machine unless it says UTC. */
function dayTime(message: string, now: number): number | undefined {
  const [, hours, minutes = '0', half, zone] =
    /\breset\w*\s+(?:at\s+)?(\d{1,2})(?::(\d\d))?\s*(am|pm)?\s*\(?(UTC|GMT|Z)?\b/i.exec(message) ?? [];
  if (hours === undefined || (half === undefined && !/\breset\w*\s+(?:at\s+)?\d{1,2}:\d\d/i.test(message))) return undefined;
  const hourOfDay = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hourOfDay > 23 || Number(minutes) > 59) return undefined;
  const date = new Date(now);
  if (zone === undefined) date.setHours(hourOfDay, Number(minutes), 0, 0);
  else date.setUTCHours(hourOfDay, Number(minutes), 0, 0);
  return date.getTime() > now ? date.getTime() : date.getTime() + day;
}
