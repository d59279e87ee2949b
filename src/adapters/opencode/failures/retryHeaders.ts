import { durationOf, epochOf } from './retryUnits.ts';

/**
 * Names that providers have for the time at which a limit is reset: OpenAI and those like it, Anthropic, and
 * gateways.
 */
const resetName = /^(?:x-)?(?:anthropic-)?rate-?limit-(?:(\S+?)-)?reset(?:-(\S+))?$/;
const remainingName = /^(?:x-)?(?:anthropic-)?rate-?limit-(?:(\S+?)-)?remaining(?:-(\S+))?$/;

/**
 * The time at which a provider can be asked again by its headers, in milliseconds since 1970. `retry-after`
 * counts before limits, and of those the ones that are used up.
 */
export function headerTime(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const ms = Number(named.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(ms)) return now + ms;
  const after = named.get('retry-after') ?? named.get('x-ratelimit-reset-after');
  if (after !== undefined) return timeOf(after, now);
  const left = limitsIn(named, remainingName);
  const usedUp = new Set([...left].flatMap(([limit, count]) => (Number(count) === 0 ? [limit] : [])));
  const resets = [...limitsIn(named, resetName)].filter(([limit]) => usedUp.size === 0 || usedUp.has(limit));
  const times = resets.flatMap(([, value]) => timeOf(value, now) ?? []);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Headers of limits by what they limit: requests, tokens, … */
function limitsIn(headers: ReadonlyMap<string, string>, name: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [header, value] of headers) {
    const [whole, before, behind] = name.exec(header) ?? [];
    if (whole !== undefined) found.set(before ?? behind ?? '', value);
  }
  return found;
}

/** Seconds from now, a moment in seconds or milliseconds since 1970, a duration such as `6m0s`, or a date. */
function timeOf(value: string, now: number): number | undefined {
  const number = value === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return epochOf(number) ?? now + number * 1_000;
  const duration = durationOf(value);
  if (duration !== undefined) return now + duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date;
}
