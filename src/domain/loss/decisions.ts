import * as z from 'zod';
import type { PromptChoices } from '../prompts/promptChoices.ts';
import { compare, type Comparison, type Loss, lossText } from './compare.ts';
import { bareText, linesAt, type Outline, type OutlineItem, textAt } from '../documents/base/outline.ts';

/**
 * A person's note, or edit in words. `wrote`: the person's texts in the document. `entry`: the id of a
 * context note.
 */
export const Decision = z.object({
  source: z.enum(['edit', 'note']),
  at: z.string(),
  text: z.string(),
  wrote: z.array(z.string()).default([]),
  entry: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** `*_decisions`, oldest first, for every later call; no attempt archives them. */
export const Decisions = z.object({ schema_version: z.literal(1), decisions: z.array(Decision) });
export type Decisions = z.infer<typeof Decisions>;

/** An edit as a decision; undefined if it changes no content. */
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

/** Decisions without withdrawn notes, and with newest texts. */
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

/** Decisions for a model. */
export function decisionsText({ decisions }: Decisions): string {
  return decisions
    .map(({ source, text }) =>
      source === 'edit' ? `A person edited the document:\n${text}` : `A person wrote:\n${text}`,
    )
    .join('\n\n');
}

/** Losses that a person wrote, or that hold such a text. */
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
