import { headerTime } from './retryHeaders.ts';
import { day, durationOf, durationPattern, epochOf, momentIn, offsetOf, zonePattern } from './retryUnits.ts';

/** Nothing that a provider says about the time is believed beyond this. */
const longestMs = 8 * day;
/** So much of a message is read. What providers say of the time stands at its start. */
const readLength = 2_000;

/**
 * The time at which a provider can be asked again, by its headers or else by what it says, in milliseconds
 * since 1970; undefined if neither tells. `now` decides what "in 20 minutes" and "at 3 pm" mean.
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

/**
 * Fields of an answer in JSON: `"resets_in_seconds":18000`, `"retryDelay":"34s"`, `"retry_after_ms":1500`.
 */
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

/** "resets at 2026-11-23T04:00:00Z". One without a zone is taken for UTC, as most servers mean it. */
function dateTime(message: string, now: number): number | undefined {
  const [whole, year, month, date, hours, minutes, seconds = '0', zone] = isoDate.exec(message) ?? [];
  if (whole === undefined) return undefined;
  const [y, mo, d, h, mi, s] = [year, month, date, hours, minutes, seconds].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const at = (wanted: string): number | undefined =>
    momentIn(wanted, { year: y, month: mo - 1, date: d, hours: h, minutes: mi, seconds: s });
  return at(zone ?? unnamedZone(message, now, at));
}

/**
 * The zone of a date without one. Chinese providers write their own time: where their language is used, or
 * where UTC would be longer from now than the whole limit that the message names ("usage limit reached for 5
 * hour").
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

/** "try again in 1h 20m", "retry after 37 seconds", "resets in 4 hours and 5 minutes". */
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

/**
 * "resets 3pm", "resets at 14:30 UTC", "resets Nov 28, 5pm (Europe/Berlin)": the next such time, of this
 * machine unless a zone is named.
 */
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
