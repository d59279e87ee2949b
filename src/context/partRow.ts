import type { PromptPart } from '../domain/usage/promptPlan.ts';
import { type SectionName, sectionNames, sectionRow, sectionTable } from './sections.ts';
import { type SliceName, sliceNames, type SliceRow, slices } from './slices.ts';

type PartRow = Pick<SliceRow, 'heading' | 'stability' | 'refresh' | 'varies' | 'protected' | 'holds'>;

export const partNames: readonly string[] = [...sliceNames, ...sectionNames];

/** Undefined for a name from an earlier version's plans. */
export function partRow(name: string): PartRow | undefined {
  if (Object.hasOwn(slices, name)) return slices[name as SliceName];
  return Object.hasOwn(sectionTable, name) ? sectionRow(name as SectionName) : undefined;
}

export function mayLeaveOut(name: string): boolean {
  const row = partRow(name);
  return row !== undefined && row.protected !== true;
}

/**
 * A part for a model: `## name`, its heading, then the content in a fence that it can't end. What holds is
 * quoted with `>`, since fenced text is said to change nothing
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
interface FramedPart {
  readonly end: number;
  readonly content: string;
}

const fenced = /## [^\n]*\n[^\n]*\n\n(`{3,})\n/y;
const quoted = /## [^\n]*\n[^\n]*\n\n((?:>(?: [^\n]*)?(?:\n(?=>)|(?![^\n])))+)/y;

/** Reads the part at `start`, in either form. */
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

/** The class of a demoted part. */
export const laterClass = { 0: 1, 1: 2, 2: 3, 3: 3 } as const;

/** The place of a part by its class; `ticket_details` comes first. */
export function classRank({ name, stability }: Pick<PromptPart, 'name' | 'stability'>): number {
  return name === 'ticket_details' ? -1 : stability;
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
