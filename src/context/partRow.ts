import type { PromptPart } from '../domain/usage/promptPlan.ts';
import { type SectionName, sectionNames, sectionRow, sectionTable } from './sections.ts';
import { type SliceName, sliceNames, type SliceRow, slices } from './slices.ts';

/** The declaration of a part: its heading for the model, its class, and how it is refreshed. */
type PartRow = Pick<SliceRow, 'heading' | 'stability' | 'refresh' | 'varies' | 'protected' | 'holds'>;

/** The names of all parts. */
export const partNames: readonly string[] = [...sliceNames, ...sectionNames];

/** The row of a slice or section; undefined for a name that plans of an earlier version may hold. */
export function partRow(name: string): PartRow | undefined {
  if (Object.hasOwn(slices, name)) return slices[name as SliceName];
  return Object.hasOwn(sectionTable, name) ? sectionRow(name as SectionName) : undefined;
}

/** Returns true if people may leave a part out: the call still makes sense without it. */
export function mayLeaveOut(name: string): boolean {
  const row = partRow(name);
  return row !== undefined && row.protected !== true;
}

/**
 * A part as the model reads it: `## name`, one line that says what it is, then the content. Material stands
 * in a fence longer than any run of backticks in it, so that no content can end its own fence. What holds is
 * quoted instead, each line behind `>`, since what stands in fences is said to change nothing
 * (docs/decisions/173-what-holds-stands-outside-of-fences.md).
 */
export function framePart({ name, content }: Pick<PromptPart, 'name' | 'content'>): string {
  const row = partRow(name);
  const head = `## ${name}\n${row?.heading ?? name}\n\n`;
  if (row?.holds === true) return `${head}${quote(content)}`;
  const runs = Array.from(content.matchAll(/`{3,}/g), ([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `${head}${fence}\n${content}\n${fence}`;
}

/** The end of a framed part in a text, and its content. */
export interface FramedPart {
  readonly end: number;
  readonly content: string;
}

const fenced = /## [^\n]*\n[^\n]*\n\n(`{3,})\n/y;
const quoted = /## [^\n]*\n[^\n]*\n\n((?:>(?: [^\n]*)?(?:\n(?=>)|(?![^\n])))+)/y;

/** Reads the part that begins at `start`, in either form; undefined where none begins. */
export function framedAt(text: string, start: number): FramedPart | undefined {
  quoted.lastIndex = start;
  const quote = quoted.exec(text);
  if (quote) return { end: start + quote[0].length, content: unquote(quote[1] ?? '') };
  fenced.lastIndex = start;
  const [head = '', fence = ''] = fenced.exec(text) ?? [];
  const begin = start + head.length;
  const close = head === '' ? -1 : text.indexOf(`\n${fence}`, begin);
  return close < 0 ? undefined : { end: close + 1 + fence.length, content: text.slice(begin, close) };
}

function quote(content: string): string {
  return content
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function unquote(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^> ?/, ''))
    .join('\n');
}
