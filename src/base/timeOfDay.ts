/**
 * Reads `14:30` (the next one) or `2026-11-28 09:00`, with seconds and a zone as in ISO 8601. Milliseconds
 * since 1970.
 */
export function readTime(text: string, now: number): number | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
    const time = new Date(now);
    time.setHours(Number(hours), Number(minutes), 0, 0);
    if (time.getTime() <= now) time.setDate(time.getDate() + 1);
    return time.getTime();
  }
  const [, date, rest] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})?)$/.exec(text.trim()) ?? [];
  const time = date === undefined || rest === undefined ? Number.NaN : Date.parse(`${date}T${rest}`);
  return Number.isNaN(time) ? undefined : time;
}
