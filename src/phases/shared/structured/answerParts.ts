import { smallest } from '../../../base/extremes.ts';
import { isEndedByStop, type Marked, withoutMark } from './whole.ts';

const noise = /\u001B\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\uFEFF]/gu;

const mostParts = 40;

/** `ended`: its tag or fence is closed, or the end mark follows, so that it is whole. */
export interface AnswerPart {
  readonly text: string;
  readonly ended: boolean;
  /** The model ended it by itself, and it stands in nothing that stays open. */
  readonly stopped?: boolean;
}

export interface CleanAnswer extends Marked {
  readonly stopped: boolean;
}

/** Keeps a thought without an end, which may hold the answer. */
export function cleanAnswer(answer: string): CleanAnswer {
  const text = answer
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(noise, '')
    .replaceAll('\u2028', '\n');
  const rest = withoutThoughts(text)
    .replace(/^[\s\S]*<\/(?:think|thinking|thought|reasoning)>/i, '')
    .replaceAll(/^[ \t]*<(?:think|thinking|thought|reasoning)>/gim, '');
  const tagged = rest.replaceAll(/^[ \t]*(?:\*\*|`(?!`))(<\/?[A-Za-z_]+>)(?:\*\*|`)[ \t]*$/gm, '$1');
  return { ...withoutMark(tagged), stopped: isEndedByStop(answer) };
}

const opening = /^[ \t]*<(think|thinking|thought|reasoning)>/gim;

function withoutThoughts(text: string): string {
  const ends = new Map<string, number>();
  let kept = '';
  let at = 0;
  for (const { index, 0: tag, 1: name = '' } of text.matchAll(opening)) {
    if (index < at) continue;
    const mark = `</${name.toLowerCase()}>`;
    const from = index + tag.length;
    const known = ends.get(mark) ?? 0;
    const end = known >= from ? known : placeOf(mark, text, from);
    ends.set(mark, end);
    if (end === Infinity) continue;
    kept += text.slice(at, index);
    at = end + mark.length;
  }
  return kept + text.slice(at);
}

function placeOf(mark: string, text: string, from: number): number {
  const pattern = new RegExp(mark, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? Infinity;
}

/**
 * Most likely first: what stands in the tag, in fences (the last first), and the text from the first known
 * key or bracket on. With a tag only what is in it counts.
 */
export function answerPartsOf(
  answer: CleanAnswer,
  options: { readonly tag?: string; readonly isKey: (key: string) => boolean },
): readonly AnswerPart[] {
  const whole = allOf(answer);
  const tagged = options.tag === undefined ? undefined : insideTag(whole.text, options.tag, whole.ended);
  const found: AnswerPart[] = [];
  for (const part of partsOf(tagged ?? whole, { isKey: options.isKey, isTagged: tagged !== undefined }))
    for (const candidate of documentsOf(part)) {
      if (candidate.text.trim() !== '') found.push(candidate);
      if (found.length === mostParts) return found;
    }
  return found;
}

export function allOf({ text, marked, behind, stopped }: CleanAnswer): AnswerPart {
  return behind === ''
    ? { text, ended: marked, stopped }
    : { text: `${text}\n---\n${behind}`, ended: false, stopped };
}

/** Fences in a tag are all that counts in it. */
function* partsOf(
  part: AnswerPart,
  { isKey, isTagged }: { readonly isKey: (key: string) => boolean; readonly isTagged: boolean },
): Iterable<AnswerPart> {
  const { lines, fences } = fencesOf(part.text, part.ended);
  for (const { start, end, ended } of fences) yield { text: lines.slice(start, end).join('\n'), ended };
  if (!isTagged || fences.length === 0) yield* fromStart(part, isKey);
  yield part;
}

function insideTag(text: string, tag: string, marked: boolean): AnswerPart | undefined {
  const start = [...text.matchAll(new RegExp(`<${tag}(?:\\s[^<>\\n]*)?>`, 'gi'))].at(-1);
  if (!start) return undefined;
  const rest = text.slice(start.index + start[0].length).replace(/^[ \t]+/, '');
  const end = new RegExp(`</${tag}\\s*>`, 'i').exec(rest);
  return end ? { text: rest.slice(0, end.index), ended: true } : { text: rest, ended: marked };
}

interface OpenFence {
  readonly indent: number;
  readonly mark: string;
  readonly named: boolean;
  readonly start: number;
  wraps: boolean;
}

interface Fence {
  readonly start: number;
  readonly end: number;
  readonly ended: boolean;
  readonly named: boolean;
}

/** The last first, those of data before the others. One that stays open reaches to the end. */
export function fencesOf(
  text: string,
  marked: boolean,
): { readonly lines: readonly string[]; readonly fences: readonly Fence[] } {
  const found: Fence[] = [];
  const open: OpenFence[] = [];
  const lines = text.split('\n');
  for (const [place, line] of lines.entries()) {
    const [, space = '', mark = '', language = ''] =
      /^([ \t]{0,200})(`{3,50}|~{3,50})[ \t]*([\w.+-]*)[^`\n]*$/.exec(line) ?? [];
    if (mark === '') continue;
    const top = open.at(-1);
    const isBare = line.trim() === mark;
    if (top && space.length > top.indent) continue;
    if (top && isBare && mark.startsWith(top.mark)) {
      open.pop();
      // A fence around another one is only its wrapper.
      if (!top.wraps) found.push({ start: top.start, end: place, ended: true, named: top.named });
      // So are those around that one, which learn it when it is closed, or at the end.
      const outer = open.at(-1);
      if (outer) outer.wraps = true;
    } else if (!top || !isBare)
      open.push({
        indent: space.length,
        mark,
        named: /^(?:ya?ml|jsonl?|json5|jsonc|ndjson)$/i.test(language),
        start: place + 1,
        wraps: false,
      });
  }
  const innermost = open.findLastIndex(({ wraps }) => wraps);
  for (const { start, named } of open.slice(innermost + 1))
    found.push({ start, end: lines.length, ended: marked, named });
  return { lines, fences: found.reverse().toSorted((a, b) => Number(b.named) - Number(a.named)) };
}

export function fromStart(
  { text, ended, stopped }: AnswerPart,
  isKey: (key: string) => boolean,
): readonly AnswerPart[] {
  const lines = text.split('\n');
  const first = lines.findIndex(
    (line, place) => opensJson(line, lines[place + 1] ?? '') || isKeyLine(line, isKey),
  );
  if (first < 0) return [];
  const start = withUnknownKeys(lines, first);
  const rest = lines.slice(start).filter((line) => !/^<\/?[A-Za-z][\w-]*>\s*$/.test(line));
  return [
    {
      text: rest.join('\n').replace(/\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/, ''),
      ended: ended || rest.length < lines.length - start,
      stopped: stopped === true,
    },
  ];
}

/** `[x] done` and `[a link](to it)` are prose. */
function opensJson(line: string, next: string): boolean {
  return (
    /^\s*[[{]\s*(?:["'{[\]}]|[A-Za-z_]+\s*:|\/[/*]|-?\d+\s*,)/.test(line) ||
    (/^\s*[[{]\s*$/.test(line) && next.trim() !== '')
  );
}

/** Unknown keys right above the first known one belong to the document, and are asked about. */
function withUnknownKeys(lines: readonly string[], first: number): number {
  let start = first;
  for (let at = first - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (
      /^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*:(?:[ \t]|$)/.test(line) ||
      /^[a-z]+(?:[A-Z][a-z0-9]*)+:(?:[ \t]|$)/.test(line)
    )
      start = at;
    else if (line.trim() !== '' && !/^(?:[ \t]+|- |#)/.test(line)) break;
  }
  return start;
}

export function isKeyLine(line: string, isKey: (key: string) => boolean): boolean {
  const key = /^(?:- )?["'*`]{0,3}([A-Za-z][\w -]{0,60}?)["'*`]{0,3}[ \t]*:/.exec(line)?.[1];
  return key !== undefined && isKey(key);
}

/** The last first. What another document follows has ended. */
function documentsOf({ text, ended, stopped = false }: AnswerPart): readonly AnswerPart[] {
  const parts = text.replace(/^\s*\n/, '').split(/^---[ \t]*(?:#.*)?$/m);
  if (parts.length === 1) return [{ text: text.trim() === '' ? '' : trimmed(text), ended, stopped }];
  return parts
    .map((part, index) => ({
      text: trimmed(part),
      ended: ended || index < parts.length - 1,
      stopped: stopped && index === parts.length - 1,
    }))
    .reverse();
}

function trimmed(text: string): string {
  const inner = text.trim().replace(/^<([A-Za-z][\w-]*)>[ \t]*\n([\s\S]*)\n[ \t]*<\/\1>$/, '$2');
  const lines = (inner === text.trim() ? text : inner)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
    .split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.replace(/^ +/, '').length);
  const least = smallest(indents, Infinity);
  return least === 0 || !Number.isFinite(least)
    ? lines.join('\n')
    : lines.map((line) => line.slice(least)).join('\n');
}

/** Insisting in the same session is no use. */
export function isRefusal(text: string): boolean {
  if (text.length > 100_000) return false;
  const { text: bare } = cleanAnswer(text);
  const says =
    /^\W*(?:(?:I['’]m|I am) (?:really |very )?(?:sorry|unable|not able|afraid)|sorry\b|I (?:can['’]?t|cannot|won['’]?t|will not|must decline)\b|as an AI\b)/i;
  return bare.length < 1_500 && says.test(bare) && !/```|<[A-Z_]{3,}>/.test(bare);
}

export const echoed = 'The answer repeats the prompt instead of answering it.';

export function isPromptEcho(text: string): boolean {
  if (/^# Beadsmith task: /m.test(text)) return true;
  return /^## ticket_details$/m.test(text) && /^## relevant_files$/m.test(text);
}
