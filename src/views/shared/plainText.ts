import { visible } from '../../base/visible.ts';

/**
 * A text from outside as an item of a list: what is hidden in it is marked, and `$(name)` in it isn't shown
 * as an icon, which would make it look like ours.
 */
export function plainLabel(text: string): string {
  return visible(text).replaceAll('$(', '$\u200B(');
}

/** The longest text from outside that a notice shows. */
const longest = 280;

/**
 * A text from outside as a notice can show it: on one line, short, with marks for what is hidden in it, and
 * without the brackets that the editor would make a link of. `whole` says whether everything is there as it
 * was written.
 */
export function plainNotice(text: string): { readonly text: string; readonly whole: boolean } {
  const marked = visible(text);
  const line = withoutLinks(marked.replace(/\s+/g, ' ')).trim();
  const isWhole = line.length <= longest && marked === text && !text.trim().includes('\n');
  // A letter of two units isn't cut in two.
  return {
    text: line.length <= longest ? line : `${line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')} …`,
    whole: isWhole,
  };
}

/**
 * A text without the brackets that the editor would make a link of in a notice: one that runs a command, if
 * its author likes.
 */
export function withoutLinks(text: string): string {
  return text.replace(/\]\s*\(/g, ']\u200B(');
}

/** From a day on nobody counts the seconds. */
const longestCountdown = 86_400;

/**
 * Returns the time that is left until `until`, as `4:05`; `0:00` once it has passed, and empty while it is
 * more than a day away. Both in milliseconds since 1970.
 */
export function countdownText(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  if (seconds > longestCountdown) return '';
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * A time as people read it beside work that is under way: `3:05 AM`, with the day if it isn't within the next
 * hours.
 */
export function clockText(at: number, now: number): string {
  const day = at - now > 20 * 3_600_000 ? ({ weekday: 'short' } as const) : {};
  return new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', ...day });
}
