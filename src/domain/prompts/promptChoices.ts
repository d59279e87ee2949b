import * as z from 'zod';
import type { ContextEntry } from './contextEntries.ts';
import { filled, type Words } from '../core/errors.ts';
import { BeadId } from '../core/ids.ts';
import type { PromptPreviewReceipt } from '../workflow/receipts.ts';

/** A decision about a part of later prompts: `pin` keeps it whole. */
export const PartRule = z.enum(['pin', 'exclude']);
export type PartRule = z.infer<typeof PartRule>;

/** A rule for prompts of this bead, or of the ticket. */
export const StandingRule = z.object({
  part: z.string().min(1).max(100),
  rule: PartRule,
  bead: BeadId.nullable(),
});
export type StandingRule = z.infer<typeof StandingRule>;

/**
 * `prompt_choices` for later prompts (docs/decisions/157-people-choose-what-later-prompts-hold.md).
 * `preview`: the newest wish to see a prompt. `edits`: newest texts by context entry; null: withdrawn.
 */
export const PromptChoices = z.object({
  schema_version: z.literal(1),
  rules: z.array(StandingRule),
  preview: z.string().nullable(),
  edits: z.record(z.string(), z.string().nullable()),
});
export type PromptChoices = z.infer<typeof PromptChoices>;

/** No decisions. */
export const noChoices: PromptChoices = { schema_version: 1, rules: [], preview: null, edits: {} };

/** Choices with a changed rule; null removes it. */
export function withRule(
  choices: PromptChoices,
  { part, rule, bead }: Omit<StandingRule, 'rule'> & { readonly rule: PartRule | null },
): PromptChoices {
  const others = choices.rules.filter((one) => one.part !== part || one.bead !== bead);
  return { ...choices, rules: rule === null ? others : [...others, { part, rule, bead }] };
}

/** A bead's rules by part, before the ticket's. */
export function rulesInForce(
  { rules }: Pick<PromptChoices, 'rules'>,
  bead: string | undefined,
): ReadonlyMap<string, PartRule> {
  const of = (whose: string | null): readonly (readonly [string, PartRule])[] =>
    rules.filter((one) => one.bead === whose).map(({ part, rule }) => [part, rule]);
  return new Map([...of(null), ...(bead === undefined ? [] : of(bead))]);
}

/** An unmet wish for a preview. `receipt`: of shown prompts. */
export function dueWish(
  { preview }: Pick<PromptChoices, 'preview'>,
  receipt: Pick<PromptPreviewReceipt, 'decisions'> | undefined,
): string | null {
  return preview !== null && (receipt?.decisions ?? []).every(({ asked_for: met }) => met !== preview)
    ? preview
    : null;
}

/** Entries with people's edits, unless used up. */
export function withEdits(
  entries: readonly ContextEntry[],
  { edits }: Pick<PromptChoices, 'edits'>,
): readonly ContextEntry[] {
  return entries.map((entry) => {
    const text = Object.hasOwn(edits, entry.id) ? edits[entry.id] : undefined;
    if (text === undefined || entry.state === 'consumed' || entry.state === 'withdrawn') return entry;
    return text === null ? { ...entry, state: 'withdrawn' } : { ...entry, text };
  });
}

/** Sentences about rules. */
export const ruleTexts = {
  pin: '{0} is kept whole in later prompts.',
  exclude: '{0} is left out of later prompts.',
  pinFor: '{0} is kept whole in prompts about {1}.',
  excludeFor: '{0} is left out of prompts about {1}.',
} as const;

/** A rule as a sentence. */
export function ruleText({ part, rule, bead }: StandingRule, words: Words = filled): string {
  return words(ruleTexts[bead === null ? rule : (`${rule}For` as const)], { 0: part, 1: bead ?? '' });
}
