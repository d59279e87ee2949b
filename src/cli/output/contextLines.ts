import type { ContextEntry } from '../../domain/prompts/contextEntries.ts';
import type { StandingRule } from '../../domain/prompts/promptChoices.ts';
import type { WaitingNote } from '../../protocol/findings.ts';
import { oneLine } from '../base/output.ts';

const modes = { once: 'once', until_done: 'until done', pinned: 'pinned' } as const satisfies Record<
  ContextEntry['mode'],
  string
>;

/** The context that people added to a ticket, one entry a paragraph; nothing where there is none. */
export function contextLines(entries: readonly ContextEntry[]): string[] {
  if (entries.length === 0) return [];
  return [
    '',
    '  Context:',
    ...entries.flatMap((entry) => [
      `    ${entry.id}  ${stateText(entry)}`,
      `      ${oneLine(entry.text, 300)}`,
    ]),
  ];
}

/** Returns a person's decision about a part of later prompts, as a sentence. */
export function ruleText({ part, rule, bead }: StandingRule): string {
  const where = bead === null ? '' : ` about ${bead}`;
  return rule === 'pin'
    ? `${part} is kept whole in prompts${where}.`
    : `${part} is left out of prompts${where}.`;
}

/** The notes to the reviewer that no review has taken into account yet, as lines. */
export function noteLines(notes: readonly WaitingNote[]): string[] {
  if (notes.length === 0) return [];
  return [
    '',
    '  Notes that wait for the next review:',
    ...notes.map(({ text }) => `    ${oneLine(text, 300)}`),
  ];
}

function stateText({ mode, state, author, acknowledged, deliveredIn }: ContextEntry): string {
  const places = deliveredIn.map(({ bead, iteration }) => `${bead} #${String(iteration)}`);
  const who = author === 'user' ? [] : [`from ${author}`];
  const seen = places.length === 0 ? [] : [`in ${places.slice(-3).join(', ')}`];
  const silent = places.length > 0 && !acknowledged && state === 'consumed' ? ['never acknowledged'] : [];
  return [modes[mode], state, ...who, ...seen, ...silent].join(', ');
}
