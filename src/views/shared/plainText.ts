import { visible } from '../../base/visible.ts';

/** Hidden characters are marked, and `$(name)` isn't shown as an icon that looks like ours. */
export function plainLabel(text: string): string {
  return visible(text).replaceAll('$(', '$\u200B(');
}

const longest = 280;

/**
 * Text from outside for a notification: short, on one line, hidden characters marked, without links. `whole`:
 * nothing was cut.
 */
export function plainNotification(text: string): { readonly text: string; readonly whole: boolean } {
  const marked = visible(text);
  const line = withoutLinks(marked.replace(/\s+/g, ' ')).trim();
  const isWhole = line.length <= longest && marked === text && !text.trim().includes('\n');
  // A letter of two units isn't cut in two.
  return {
    text: line.length <= longest ? line : `${line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')} …`,
    whole: isWhole,
  };
}

/** The editor would make a link of brackets in a notification, which could run a command. */
export function withoutLinks(text: string): string {
  return text.replace(/\]\s*\(/g, ']\u200B(');
}

const longestCountdown = 86_400;

/** `0:00` once it has passed, empty while it is more than a day away. Both in milliseconds since 1970. */
export function countdownText(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000));
  if (seconds > longestCountdown) return '';
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A time beside work that is under way: `3:05 AM`, with the day if it isn't within the next hours. */
export function clockText(at: number, now: number): string {
  const day = at - now > 20 * 3_600_000 ? ({ weekday: 'short' } as const) : {};
  return new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit', ...day });
}
