import type { PromptPart } from '../domain/promptPlan.ts';
import { sectionTable } from './sections.ts';
import { slices } from './slices.ts';

/** Stands at the top of a call whose instructions went ahead in a message of their own. */
export const pointerLine = 'Your instructions and the standing context are in the message before this one. Do that task now.';

/**
 * A part as the model reads it: `## name`, one line that says what it is, then the content in a fence longer than any run of backticks in it, so that
 * no content can end its own fence.
 */
export function framePart({ name, content }: Pick<PromptPart, 'name' | 'content'>): string {
  const runs = Array.from(content.matchAll(/`{3,}/g), ([run]) => run.length);
  const fence = '`'.repeat(Math.max(2, ...runs) + 1);
  return `## ${name}\n${headingOf(name)}\n\n${fence}\n${content}\n${fence}`;
}

function headingOf(name: string): string {
  const rows: Readonly<Record<string, { readonly heading: string } | undefined>> = { ...sectionTable, ...slices };
  return rows[name]?.heading ?? name;
}
