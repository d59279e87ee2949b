import * as z from 'zod';
import type { PromptChoices } from '../prompts/promptChoices.ts';
import { compare, type Comparison, type Loss, lossText } from './compare.ts';
import { bareText, linesAt, type Outline, type OutlineItem, textAt } from '../documents/base/outline.ts';

/**
 * A person's note on a document, or an edit of it in words. `wrote`: the texts that the person wrote into the
 * document. `entry`: of a note that is context of the ticket, its id.
 */
export const Decision = z.object({
  source: z.enum(['edit', 'note']),
  at: z.string(),
  text: z.string(),
  wrote: z.array(z.string()).default([]),
  entry: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** `*_decisions` about a document, oldest first. Every later call gets them; no attempt archives them. */
export const Decisions = z.object({ schema_version: z.literal(1), decisions: z.array(Decision) });
export type Decisions = z.infer<typeof Decisions>;

/** An edit of a document as a decision, in words; undefined if it changes no content. */
export function editDecision(
  outline: Outline,
  before: unknown,
  after: unknown,
  at: string,
): Decision | undefined {
  const gained = compare(outline, after, before);
  const added = gained.losses.filter(({ field }) => field !== 'id');
  const removed = compare(outline, before, after).losses.filter(({ field }) => field !== 'id');
  const lines = [
    ...added.flatMap((loss) => addedLines(gained, loss)),
    ...removed.map((loss) => `Removed: ${lossText(loss)}`),
  ];
  if (lines.length === 0) return undefined;
  return {
    source: 'edit',
    at,
    text: lines.join('\n'),
    wrote: added.flatMap((loss) => textsOf(gained, loss)),
  };
}

/** The decisions without notes that were taken back, and with the newest texts of changed ones. */
export function withEditedNotes(
  { decisions, ...rest }: Decisions,
  { edits }: Pick<PromptChoices, 'edits'>,
): Decisions {
  const edited = decisions.flatMap((decision): readonly Decision[] => {
    const text =
      decision.entry !== undefined && Object.hasOwn(edits, decision.entry)
        ? edits[decision.entry]
        : undefined;
    if (text === null) return [];
    return [text === undefined ? decision : { ...decision, text }];
  });
  return { ...rest, decisions: edited };
}

/** The decisions as a model reads them. */
export function decisionsText({ decisions }: Decisions): string {
  return decisions
    .map(({ source, text }) =>
      source === 'edit' ? `A person edited the document:\n${text}` : `A person wrote:\n${text}`,
    )
    .join('\n\n');
}

/** The losses that a person wrote, or that hold something that a person wrote. */
export function writtenByPeople(comparison: Comparison, { decisions }: Decisions): readonly Loss[] {
  const wrote = new Set(decisions.flatMap((decision) => decision.wrote.map(bareText)));
  return comparison.losses.filter((loss) =>
    textsOf(comparison, loss).some((text) => wrote.has(bareText(text))),
  );
}

function addedLines(comparison: Comparison, loss: Loss): readonly string[] {
  const below = loss.whole ? textsOf(comparison, loss).filter((text) => text !== loss.item.title) : [];
  return [`Added: ${lossText(loss)}`, ...below.map((text) => `  - ${text}`)];
}

/** The texts that a loss is: one, or all of an item and those below it that are lost with it. */
function textsOf({ before, pairs }: Comparison, { item, text, whole }: Loss): readonly string[] {
  if (!whole) return [text];
  const isIn = (other: OutlineItem): boolean =>
    other === item || (other.parent !== undefined && !pairs.has(other) && isIn(other.parent));
  return before
    .filter(isIn)
    .flatMap(({ outline, value }) =>
      [
        ...outline.texts.map((field) => textAt(value, field)),
        ...outline.lists.flatMap((field) => linesAt(value, field)),
      ].filter((one) => one.trim() !== ''),
    );
}
