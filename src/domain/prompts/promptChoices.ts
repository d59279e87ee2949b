import * as z from 'zod';
import type { ContextEntry } from './contextEntries.ts';
import { BeadId } from '../core/ids.ts';
import type { PromptPreviewReceipt } from '../workflow/receipts.ts';

/** A person's decision about a part of later prompts: `pin` keeps it whole, `exclude` leaves it out. */
export const PartRule = z.enum(['pin', 'exclude']);
export type PartRule = z.infer<typeof PartRule>;

/** A rule for a part, in prompts about this bead, or in all of the ticket. */
export const StandingRule = z.object({
  part: z.string().min(1).max(100),
  rule: PartRule,
  bead: BeadId.nullable(),
});
export type StandingRule = z.infer<typeof StandingRule>;

/**
 * `prompt_choices`: what a person decided about the prompts that are still to come
 * (docs/decisions/157-people-choose-what-later-prompts-hold.md). `preview`: the id of the newest wish to see
 * the next prompt before it is sent. `edits`: the newest text of a context entry by its id; null for one that
 * was taken back.
 */
export const PromptChoices = z.object({
  schema_version: z.literal(1),
  rules: z.array(StandingRule),
  preview: z.string().nullable(),
  edits: z.record(z.string(), z.string().nullable()),
});
export type PromptChoices = z.infer<typeof PromptChoices>;

/** Nothing was decided. */
export const noChoices: PromptChoices = { schema_version: 1, rules: [], preview: null, edits: {} };

/** The choices with another rule for a part; null takes its rule back. */
export function withRule(
  choices: PromptChoices,
  { part, rule, bead }: Omit<StandingRule, 'rule'> & { readonly rule: PartRule | null },
): PromptChoices {
  const others = choices.rules.filter((one) => one.part !== part || one.bead !== bead);
  return { ...choices, rules: rule === null ? others : [...others, { part, rule, bead }] };
}

/** The rules for prompts about a bead, or none, by part. Those of the bead stand above the ticket's. */
export function rulesInForce(
  { rules }: Pick<PromptChoices, 'rules'>,
  bead: string | undefined,
): ReadonlyMap<string, PartRule> {
  const of = (whose: string | null): readonly (readonly [string, PartRule])[] =>
    rules.filter((one) => one.bead === whose).map(({ part, rule }) => [part, rule]);
  return new Map([...of(null), ...(bead === undefined ? [] : of(bead))]);
}

/** The wish to see the next prompt, until one met it. `receipt`: of the prompts that were shown. */
export function dueWish(
  { preview }: Pick<PromptChoices, 'preview'>,
  receipt: Pick<PromptPreviewReceipt, 'decisions'> | undefined,
): string | null {
  return preview !== null && (receipt?.decisions ?? []).every(({ asked_for: met }) => met !== preview)
    ? preview
    : null;
}

/** The entries as a person changed them since they were written. What is used up stays as it was. */
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

/** Returns true if a person can still change an entry: no agent has it, or agents will get it again. */
export function isEditable({ mode, state }: Pick<ContextEntry, 'mode' | 'state'>): boolean {
  return state === 'queued' || (mode !== 'once' && state !== 'consumed' && state !== 'withdrawn');
}
