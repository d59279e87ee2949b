/** The start of a day in this machine's time zone; milliseconds since 1970. */
export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** As `startOfDay`, 23 to 25 hours later. */
export function startOfNextDay(at: number): number {
  const day = new Date(at);
  day.setHours(24, 0, 0, 0);
  return day.getTime();
}

/** A time's day in this machine's time zone: `2026-01-31`. */
export function dayOf(at: number): string {
  const day = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${String(day.getFullYear())}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
