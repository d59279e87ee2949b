const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = { ms: 1, s: second, m: minute, h: hour, d: day, w: 7 * day };

/** `1h 20m`, `6m0s`, `4 hours and 5 minutes`, `850ms`. */
const durationPattern =
  '(?:(?:about|and|,)?\\s*\\d+(?:\\.\\d+)?\\s*(?:milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])\\s*)+';

const whole = new RegExp(`^${durationPattern}$`, 'i');

function durationOf(words: string): number | undefined {
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

/** A number that can only be a moment, in seconds or milliseconds, as milliseconds. */
function epochOf(number: number): number | undefined {
  if (number >= 1e12 && number < 1e13) return number;
  return number >= 1e9 && number < 1e10 ? number * second : undefined;
}

/** Minutes. Letters of summer time count whatever the date. */
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

/** `UTC`, `PST`, `Europe/Berlin`, `+02:00`. */
const zonePattern = `(?:${Object.keys(offsets).join('|')})\\b|[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_]+){1,2}|(?:UTC|GMT)?[+-]\\d{1,2}(?::?\\d\\d)?`;

interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly date: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds?: number;
}

/** A moment by a zone's clock, or this machine's; undefined for an unknown zone. `month`: from 0. */
function momentIn(
  zone: string | undefined,
  { year, month, date, hours, minutes, seconds = 0 }: LocalTime,
): number | undefined {
  if (zone === undefined) return new Date(year, month, date, hours, minutes, seconds).getTime();
  const utc = Date.UTC(year, month, date, hours, minutes, seconds);
  // Twice: the offset is that of the moment it leads to.
  const first = offsetOf(zone, utc);
  if (first === undefined) return undefined;
  return utc - (offsetOf(zone, utc - first * minute) ?? first) * minute;
}

/** Minutes ahead of UTC. */
function offsetOf(zone: string, at: number): number | undefined {
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

/** The limit: later times aren't believed. */
const longestMs = 8 * day;
/** Characters read of a message: times are at its start. */
const readLength = 2_000;

/**
 * The moment to ask a provider again, by its headers or else its message, in milliseconds since 1970;
 * undefined if neither tells.
 */
export function retryTime(
  whole: string,
  now: number,
  headers: Readonly<Record<string, string>> = {},
): number | undefined {
  const message = whole.slice(0, readLength);
  const ways = [fieldTime, epochTime, dateTime, durationTime, dayTime];
  const said = (): number | undefined => ways.map((way) => way(message, now)).find((at) => at !== undefined);
  const at = headerTime(headers, now) ?? said();
  return at !== undefined && at > now && at - now <= longestMs ? at : undefined;
}

/** `"resets_in_seconds":18000`, `"retryDelay":"34s"`, `"retry_after_ms":1500`. */
function fieldTime(message: string, now: number): number | undefined {
  const field =
    /["']?\b(?:(?:retry|reset)s?_?(?:after|in|delay)|(?:retry|reset)(?:After|In|Delay))_?(ms|millis(?:econds)?|s|secs?|seconds)?["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)\s*([a-zA-Z]*)/i;
  const [, unit = 's', amount, behind = ''] = field.exec(message) ?? [];
  if (amount === undefined) return undefined;
  const epoch = epochOf(Number(amount));
  if (epoch !== undefined) return epoch;
  const duration = durationOf(`${amount}${behind === '' ? (/^m/i.test(unit) ? 'ms' : 's') : behind}`);
  return duration === undefined ? undefined : now + duration;
}

/** "limit reached|1763900000", "resets at 1763900000". */
function epochTime(message: string): number | undefined {
  const [, digits] = /(?:reset\w*\D{0,20}|\|)(1\d{9}|1\d{12})\b/i.exec(message) ?? [];
  return digits === undefined ? undefined : epochOf(Number(digits));
}

const isoDate = new RegExp(
  `\\b(20\\d\\d)-(\\d\\d)-(\\d\\d)[T ](\\d\\d):(\\d\\d)(?::(\\d\\d))?(?:\\.\\d+)?\\s?\\(?(${zonePattern})?`,
);

/** "resets at 2026-11-23T04:00:00Z". Without a zone it is UTC, as most servers mean it. */
function dateTime(message: string, now: number): number | undefined {
  const [whole, year, month, date, hours, minutes, seconds = '0', zone] = isoDate.exec(message) ?? [];
  if (whole === undefined) return undefined;
  const parts = [year, month, date, hours, minutes, seconds].map(Number);
  const [y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0] = parts;
  const at = (wanted: string): number | undefined =>
    momentIn(wanted, { year: y, month: mo - 1, date: d, hours: h, minutes: mi, seconds: s });
  return at(zone ?? unnamedZone(message, now, at));
}

/**
 * Chinese providers write their own time: where the language is used, or where UTC would be later than the
 * limit's whole window.
 */
function unnamedZone(message: string, now: number, at: (zone: string) => number | undefined): string {
  const china = 'Asia/Shanghai';
  if (/\p{Script=Han}/u.test(message)) return china;
  const [, words = ''] =
    new RegExp(`\\b(?:for|of|every|per)\\s+(${durationPattern})`, 'i').exec(message) ?? [];
  const period =
    durationOf(words) ?? durationOf(/\b(\d+)[- ]hours?\b/i.exec(message)?.[0].replace('-', ' ') ?? '');
  const there = at(china) ?? 0;
  return period !== undefined && (at('UTC') ?? 0) - now > period && there > now && there - now <= period
    ? china
    : 'UTC';
}

const asked = new RegExp(`\\b(?:in|after|within|for)\\s+(${durationPattern})`, 'i');

/** "try again in 1h 20m", "resets in 4 hours and 5 minutes". */
function durationTime(message: string, now: number): number | undefined {
  if (!/try|retry|again|reset|wait|available|renew|limit/i.test(message)) return undefined;
  const duration = durationOf(asked.exec(message)?.[1] ?? '');
  return duration === undefined ? undefined : now + duration;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const clock = new RegExp(
  [
    '\\b(?:reset|renew|available|again)\\w*\\s+(?:again\\s+)?(?:at\\s+|on\\s+)?',
    `(?:(${months.join('|')})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(?:at\\s+)?|(${weekdays.join('|')})[a-z]*,?\\s+(?:at\\s+)?|(tomorrow|today)\\s+(?:at\\s+)?)?`,
    `(\\d{1,2})(?::(\\d\\d))?\\s*(am|pm|a\\.m\\.|p\\.m\\.)?\\s*\\(?(${zonePattern})?`,
  ].join(''),
  'i',
);

/** "resets 3pm", "resets Nov 28, 5pm (Europe/Berlin)": the next one, here unless a zone is named. */
function dayTime(message: string, now: number): number | undefined {
  const [whole, month, dayOfMonth, weekday, named, hours = '', minutes, half, zone] =
    clock.exec(message) ?? [];
  if (whole === undefined || (half === undefined && minutes === undefined)) return undefined;
  const hourOfDay = half === undefined ? Number(hours) : (Number(hours) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hourOfDay > 23 || Number(minutes ?? 0) > 59) return undefined;
  const here = new Date(
    now + (zone === undefined ? -new Date(now).getTimezoneOffset() : (offsetOf(zone, now) ?? 0)) * 60_000,
  );
  const time = { hours: hourOfDay, minutes: Number(minutes ?? 0) };
  const [year, today] = [here.getUTCFullYear(), { month: here.getUTCMonth(), date: here.getUTCDate() }];
  const on = (date: { readonly month: number; readonly date: number }, inYear = year): number | undefined =>
    momentIn(zone, { year: inYear, ...date, ...time });
  if (month !== undefined) {
    const date = { month: months.indexOf(month.toLowerCase()), date: Number(dayOfMonth) };
    const at = on(date);
    return at !== undefined && at <= now ? on(date, year + 1) : at;
  }
  const wanted = weekday === undefined ? undefined : weekdays.indexOf(weekday.toLowerCase());
  const ahead =
    named?.toLowerCase() === 'tomorrow' ? 1 : wanted === undefined ? 0 : (wanted - here.getUTCDay() + 7) % 7;
  const at = on({ ...today, date: today.date + ahead });
  if (at === undefined || at > now) return at;
  return on({ ...today, date: today.date + ahead + (wanted === undefined ? 1 : 7) });
}

const resetName = /^(?:x-)?(?:anthropic-)?rate-?limit-(?:(\S+?)-)?reset(?:-(\S+))?$/;
const remainingName = /^(?:x-)?(?:anthropic-)?rate-?limit-(?:(\S+?)-)?remaining(?:-(\S+))?$/;

function headerTime(headers: Readonly<Record<string, string>>, now: number): number | undefined {
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

function limitsIn(headers: ReadonlyMap<string, string>, name: RegExp): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [header, value] of headers) {
    const [whole, before, behind] = name.exec(header) ?? [];
    if (whole !== undefined) found.set(before ?? behind ?? '', value);
  }
  return found;
}

function timeOf(value: string, now: number): number | undefined {
  const number = value === '' ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return epochOf(number) ?? now + number * 1_000;
  const duration = durationOf(value);
  if (duration !== undefined) return now + duration;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date;
}
