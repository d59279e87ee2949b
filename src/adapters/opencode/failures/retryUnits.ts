const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
export const day = 24 * hour;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day, w: 7 * day };

/** A duration in words, such as `1h 20m`, `6m0s`, `4 hours and 5 minutes` or `850ms`, as a pattern. */
export const durationPattern =
  '(?:(?:about|and|,)?\\s*\\d+(?:\\.\\d+)?\\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])\\s*)+';

const whole = new RegExp(`^${durationPattern}$`, 'i');

/** The milliseconds of a duration in words; undefined for anything else. */
export function durationOf(words: string): number | undefined {
  if (!whole.test(words.trim())) return undefined;
  let sum = 0;
  for (const [, amount = '0', unit = ''] of words.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi)) {
    const short = unit.toLowerCase();
    sum +=
      Number(amount) *
      (units[short.startsWith('ms') || short.startsWith('milli') ? 'ms' : short.charAt(0)] ?? 0);
  }
  return sum > 0 ? sum : undefined;
}

/** A number that can only be a moment, in seconds or milliseconds since 1970, as milliseconds. */
export function epochOf(number: number): number | undefined {
  if (number >= 1e12 && number < 1e13) return number;
  return number >= 1e9 && number < 1e10 ? number * second : undefined;
}

/**
 * Offsets of zones by the letters that messages have for them, in minutes. Those of summer are what they say,
 * whatever the date is.
 */
const offsets: Readonly<Record<string, number>> = {
  UTC: 0,
  GMT: 0,
  Z: 0,
  WET: 0,
  BST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  IST: 330,
  SGT: 480,
  HKT: 480,
  JST: 540,
  KST: 540,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AEST: 600,
  AEDT: 660,
};

/** The zones that a message may name, as a pattern: `UTC`, `PST`, `Europe/Berlin`, `+02:00`. */
export const zonePattern = `(?:${Object.keys(offsets).join('|')})\\b|[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+){1,2}|(?:UTC|GMT)?[+-]\\d{1,2}(?::?\\d\\d)?`;

/**
 * A moment by the clock of a zone, in milliseconds since 1970; undefined for a zone that isn't known. Without
 * a zone it is this machine's clock. `month`: from 0.
 */
export function momentIn(
  zone: string | undefined,
  {
    year,
    month,
    date,
    hours,
    minutes,
    seconds = 0,
  }: Readonly<Record<'year' | 'month' | 'date' | 'hours' | 'minutes', number>> & {
    readonly seconds?: number;
  },
): number | undefined {
  if (zone === undefined) return new Date(year, month, date, hours, minutes, seconds).getTime();
  const utc = Date.UTC(year, month, date, hours, minutes, seconds);
  // Twice, because the offset is that of the moment, which it leads to.
  const first = offsetOf(zone, utc);
  if (first === undefined) return undefined;
  return utc - (offsetOf(zone, utc - first * minute) ?? first) * minute;
}

/** Minutes that a zone's clock is ahead of UTC at a moment. */
export function offsetOf(zone: string, at: number): number | undefined {
  const known = offsets[zone.toUpperCase()];
  if (known !== undefined) return known;
  const [, sign, hours, minutes = '0'] = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(zone) ?? [];
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      timeZoneName: 'longOffset',
    }).formatToParts(at);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return name === 'GMT' ? 0 : offsetOf(name, at);
  } catch {
    return undefined;
  }
}
