import * as z from 'zod';
import { missingKeys, topKeys } from './keys.ts';
import type { Shaped } from './shape.ts';
import { isElision } from './text/spellings.ts';
import type { Tree } from './text/tree.ts';
import { commentsOf } from './text/yamlLines.ts';
import { endMark } from '../../../context/promptFile.ts';

/** A sign that no text holds, behind an answer that the provider said the model ended by itself. */
const stopSign = '\u0004';

export function endedByStop(text: string): string {
  return `${text}${stopSign}`;
}

export function withoutStop(text: string): string {
  return isEndedByStop(text) ? text.slice(0, -stopSign.length) : text;
}

export function isEndedByStop(text: string): boolean {
  return text.endsWith(stopSign);
}

/** With `endsInValue` it shows that a bare document is whole: no shorter text looks like that. */
export function isFull(tree: Tree, schema: z.core.$ZodType): boolean {
  if (tree.kind !== 'table' || !(schema instanceof z.ZodObject)) return false;
  const there = new Set(tree.entries.map(([key]) => key));
  return topKeys(schema).every((key) => there.has(key));
}

/** Without required keys a document never shows that it is whole. */
export function hasRequired(tree: Tree, schema: z.core.$ZodType): boolean {
  return missingKeys(tree, schema)?.length === 0;
}

/** The last line waits for more: a key or dash alone, or an open quote or bracket. */
export function endsOpen(text: string): boolean {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  if (/(?:^|[ \t])(?:[\w-]+:|-)$/.test(line) || /:[ \t]+[|>][-+]?$/.test(line)) return true;
  const value = /^[ \t]*(?:- )*(?:[\w-]+:[ \t]+)?(.*)$/.exec(line)?.[1] ?? '';
  const [quote = ''] = value;
  if (quote === '[' || quote === '{') return !/[\]}]$/.test(value);
  return (quote === '"' || quote === "'") && (value.length < 2 || !value.endsWith(quote));
}

/** The last value of a document ends with the bracket or quote that it started with. */
export function endsInValue(text: string): boolean {
  return /^[\w-]+:[ \t]+(?:\[\s*\]|\{\s*\}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*')$/.test(
    lastEntry(text.trimEnd()),
  );
}

/** From the last line on that starts with a key. An empty list may end on a line of its own. */
function lastEntry(text: string): string {
  const at = text.lastIndexOf('\n');
  const line = text.slice(at + 1);
  if (at < 0 || !/^\s*[\]}]$/.test(line)) return at < 0 ? '' : line;
  const before = text.slice(0, at).trimEnd();
  const start = before.lastIndexOf('\n');
  return start < 0 ? '' : `${before.slice(start + 1)}${line}`;
}

export function elisionsIn(text: string): readonly string[] {
  return commentsOf(text).filter((comment) => isElision(comment, true));
}

export function lostIn(elisions: readonly string[], { elided, lost, unknown }: Shaped): string | undefined {
  const lines = [
    ...elisions.map(
      (comment) => `- "${comment}" stands for something that was left out. Send the whole document.`,
    ),
    ...elided,
    ...lost,
    ...unknown,
  ];
  return lines.length === 0 ? undefined : lines.slice(0, 10).join('\n');
}

export function isOnlyUnknown(elisions: readonly string[], { elided, lost }: Shaped): boolean {
  return elisions.length === 0 && elided.length === 0 && lost.length === 0;
}

const mostParts = 4;
const mostOverlap = 40;

const fence = /^\s*```\w*\s*$/;

/**
 * Puts together an answer that a provider cut off (docs/decisions/184-answers-in-parts.md). The last line may
 * have been cut within a word.
 */
export class AnswerParts {
  #lines: readonly string[] = [];
  #count = 0;

  get lastLine(): string {
    return this.#lines.findLast((line) => line.trim() !== '') ?? '';
  }

  /** False if the part brought nothing new or is one too many. */
  keep(text: string): boolean {
    const whole = text.slice(0, text.lastIndexOf('\n') + 1).trimEnd();
    const lines = this.#joined(whole);
    const isMore = whole !== '' && lines.length > this.#lines.length && this.#count < mostParts;
    if (!isMore) return false;
    this.#lines = lines;
    this.#count += 1;
    return true;
  }

  whole(text: string): string {
    return this.#lines.length === 0 ? text : this.#joined(text).join('\n');
  }

  clear(): void {
    this.#lines = [];
    this.#count = 0;
  }

  #joined(text: string): readonly string[] {
    const next = text.replace(/^\s*\n/, '').split('\n');
    if (this.#lines.length === 0) return next;
    // A model that sends the whole answer again is taken by its word.
    if (firstOf(next) === firstOf(this.#lines)) return next;
    const rest = isOpen(this.#lines) && fence.test(next[0] ?? '') ? next.slice(1) : next;
    return [...this.#lines, ...rest.slice(overlap(this.#lines, rest))];
  }
}

function firstOf(lines: readonly string[]): string | undefined {
  return lines.find((line) => line.trim() !== '' && !fence.test(line))?.trim();
}

function isOpen(lines: readonly string[]): boolean {
  return lines.filter((line) => fence.test(line)).length % 2 === 1;
}

function overlap(lines: readonly string[], next: readonly string[]): number {
  for (let count = Math.min(mostOverlap, lines.length, next.length); count > 0; count--)
    if (lines.slice(-count).every((line, at) => line.trimEnd() === next[at]?.trimEnd())) return count;
  return 0;
}

export interface Marked {
  readonly text: string;
  readonly marked: boolean;
  readonly behind: string;
}

/** Tokens by which models end, and that some servers hand on. */
const endTokens = /(?:<[|｜][\w▁ ]{2,30}[|｜]>|<(?:end_of_turn|eos|EOT)>|\[(?:EOS|EOT)\])[ \t]*$/gm;
/** Those that could also be markup, where nothing else stands beside them. */
const bareTokens = /^[ \t]*<\/s>[ \t]*$|<\/s>\s*$(?![\s\S])/gm;

/** The mark as models spell it, alone on its line but for signs, or for a word of prose behind it. */
const spelled =
  /^[ \t>*`#"'[(</_~=|—–-]{0,12}END[ _-]?OF[ _-]?ANSWER(?:[ \t*`"'\])>/|_~=.!:;,—–✅✔️-]*|(?:[ \t]*[:.,;—–-]|[ \t]+[(-])[ \t]*[^\n]{0,200})$/gimu;
const sentence = new RegExp(`^[A-Z][^\\n:{}[\\]"]{0,60}\\b${endMark}\\b[.!]?\\s*$(?![\\s\\S])`, 'm');

/** Keeps what is behind the mark. */
export function withoutMark(answer: string): Marked {
  const text = answer
    .replaceAll(endTokens, '')
    .replaceAll(bareTokens, '')
    .replace(new RegExp(`([\`\\]}>]|(?<=\\S)["'])[ \\t]*(${endMark}\\W*)$`), '$1\n$2')
    .replace(sentence, endMark);
  const marks = [...text.matchAll(spelled)];
  // Marks that only other marks, fences and tags follow are one.
  const [first] = marks.slice(
    marks.findLastIndex(
      (mark, place) => !isEmpty(text.slice(end(mark), marks[place + 1]?.index ?? mark.index)),
    ) + 1,
  );
  const last = marks.at(-1);
  if (!first || !last) return { text, marked: false, behind: '' };
  const behind = text.slice(end(last));
  return {
    text: text.slice(0, first.index).replaceAll(spelled, '---').trimEnd(),
    marked: true,
    behind: isEmpty(behind) ? '' : behind.trim(),
  };
}

function end({ index, 0: text }: RegExpExecArray): number {
  return index + text.length;
}

function isEmpty(text: string): boolean {
  return /^(?:\s|`{3,}|~{3,}|<\/[A-Za-z_]+>)*$/.test(text);
}
