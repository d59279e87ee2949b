import { stripAnsi } from '../../base/lastLines.ts';
import type { TestResults } from '../core/evidence.ts';
import { type AssertionFormat, assertionFormats, assertionNoise, plainFormats } from './assertionFormats.ts';
import { readTestResults, toolOf } from './testResults.ts';

/** The limits on how much of an output may be shown. */
interface Room {
  readonly lines: number;
  readonly chars: number;
}

/** So many failures are shown, each with so many lines: the first ones explain most of the others. */
const mostFailures = 3;
const mostLinesEach = 16;
/** With less room a failure is left out. */
const fewestLines = 5;
/** The end of an output sums it up, which needs less room than the failures. */
const tailShare = 4;
const longestLine = 400;
/** The rest of a longer line isn't read. */
const longestRead = 2_000;
const gap = '[…]';
/** So much is shown of an output that names what failed. */
const room: Room = { lines: 40, chars: 3_000 };

/**
 * The part of an output that says what failed: the lines around its first failed assertions, which say what
 * was expected and where, then the end of it. Undefined if no failure is found in it.
 */
export function excerptOf(output: string): string | undefined {
  const lines = stripAnsi(output)
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(0, longestRead).trimEnd());
  const found = failuresIn(lines);
  if (found.length === 0) return undefined;
  const kept = new Set<number>();
  const used = { lines: 0, chars: 0 };
  const keep = (at: number, limit: Room): boolean => {
    if (kept.has(at)) return true;
    const chars = Math.min(longestLine, lines[at]?.length ?? 0) + 1;
    if (used.lines + 1 > limit.lines || used.chars + chars > limit.chars) return false;
    kept.add(at);
    used.lines += 1;
    used.chars += chars;
    return true;
  };
  const forFailures = {
    lines: room.lines - Math.floor(room.lines / tailShare),
    chars: room.chars - Math.floor(room.chars / tailShare),
  };
  for (const failure of found.slice(0, mostFailures)) {
    if (forFailures.lines - used.lines < Math.min(failure.length, fewestLines)) break;
    if (!failure.every((at) => keep(at, forFailures))) break;
  }
  for (let at = lines.length - 1; at >= 0 && keep(at, room); at -= 1) if (kept.size === lines.length) break;
  return textOf(lines, kept);
}

/** The results and the excerpt of an output that isn't kept whole, for a reader. */
export type LongOutput = TestResults & { readonly excerpt?: string };

/**
 * Reads an output that is longer than what is kept of it: its results, and the lines that say what failed.
 */
export function readLongOutput(text: string): LongOutput | undefined {
  const results = readTestResults(text);
  const excerpt = results && results.failed.length > 0 ? excerptOf(text) : undefined;
  return results && excerpt !== undefined ? { ...results, excerpt } : results;
}

/** The lines of each failure, by number. */
function failuresIn(lines: readonly string[]): readonly (readonly number[])[] {
  const own = assertionFormats[toolOf(lines) ?? ''] ?? [];
  for (const formats of [own, plainFormats]) {
    const found = formats.map((format) => blocksOf(lines, format)).find((blocks) => blocks.length > 0);
    if (!found) continue;
    const titles = new Set<string>();
    // Some tools repeat every failure at the end.
    const fresh = found.filter(({ title }) => !titles.has(title) && titles.add(title));
    return fresh.map((block) => block.shown);
  }
  return [];
}

interface Block {
  /** Its first lines on one line, which name the test. */
  readonly title: string;
  readonly shown: readonly number[];
}

function blocksOf(lines: readonly string[], format: AssertionFormat): readonly Block[] {
  const blocks: Block[] = [];
  for (let start = 0; start < lines.length && blocks.length < 200; start += 1) {
    if (!format.start.test(lines[start] ?? '')) continue;
    let end = start + 1;
    while (end < lines.length && !format.start.test(lines[end] ?? '') && !format.end.test(lines[end] ?? ''))
      end += 1;
    const first = format.before?.(lines, start) ?? start;
    const all = range(first, end);
    const said = all.filter((at) => lines[at] !== '');
    const isParent = all.some((at) => at !== first && format.skip?.test(lines[at] ?? '') === true);
    if (!isParent) {
      const title = said.slice(0, 4).map((at) => (lines[at] ?? '').trim());
      blocks.push({ title: title.join(' '), shown: shortened(lines, all, format.key) });
    }
    start = end - 1;
  }
  // A verdict without a reason is that of a group.
  const withReason = blocks.filter(({ shown }) => shown.length > 1);
  return withReason.length > 0 ? withReason : blocks;
}

/** A failure with its title, what went wrong, and a place in a source. */
function shortened(
  lines: readonly string[],
  all: readonly number[],
  key: RegExp | undefined,
): readonly number[] {
  const told = all.filter(
    (at, index) =>
      !assertionNoise.test(lines[at] ?? '') && (lines[at] !== '' || lines[all[index - 1] ?? -1] !== ''),
  );
  while (told.length > 0 && lines[told.at(-1) ?? 0] === '') told.pop();
  if (told.length <= mostLinesEach) return told;
  const keyAt = key ? told.findIndex((at, index) => index > 0 && key.test(lines[at] ?? '')) : -1;
  const from = keyAt > mostLinesEach / 2 ? keyAt - 2 : 1;
  const shown = [told[0] ?? 0, ...told.slice(from, from + mostLinesEach - 2)];
  const place = told.find((at) => at > (shown.at(-1) ?? 0) && /[\w)]:\d+(?::\d+)?\b/.test(lines[at] ?? ''));
  return place === undefined ? shown : [...shown, place];
}

function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index);
}

function textOf(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let last = -1;
  for (const at of [...kept].sort((a, b) => a - b)) {
    const line = lines[at] ?? '';
    const leftOut = lines.slice(last + 1, at);
    if (leftOut.some((one) => one !== '' && !assertionNoise.test(one))) shown.push(gap);
    shown.push(line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line);
    last = at;
  }
  return shown
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
