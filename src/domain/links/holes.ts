/** Sentences about missing links, for models and people. `{name}` is filled in. */
export const holeTexts = {
  question: 'No story names {id} in interview_refs, and no audit says why nothing follows from its answer.',
  /** The same in a draft, of which there is no audit yet. */
  draftQuestion: 'No story names {id} in interview_refs.',
  story: 'The story {id} has no source: its interview_refs name no question, and not “ticket”.',
  unmet: 'The audit names nothing that meets {id}.',
  criterion: 'No bead names {id} in prdRefs.',
  bead: 'The bead {id} has no criterion: its prdRefs name nothing of the PRD.',
  command: 'The bead {id} has no test commands, and no reason why in unprovedReason.',
  unknownQuestion: 'The story {id} names {name} in interview_refs, which is no question of the interview.',
  unknownName: 'The bead {id} names {name} in prdRefs, which the PRD doesn’t have.',
} as const;

/** A hole in a plan: something that doesn't lead on, or comes from nowhere. `id`: what it is about. */
export interface Hole {
  readonly kind: keyof typeof holeTexts;
  readonly id: string;
  /** The name that doesn't exist, for `unknownQuestion` and `unknownName`. */
  readonly name?: string;
}

/** A hole as a sentence: what a gap says of it. */
export function holeText({ kind, id, name = '' }: Hole): string {
  return holeTexts[kind].replaceAll(/\{(\w+)\}/g, (hole, key) =>
    key === 'id' ? id : key === 'name' ? name : hole,
  );
}

/** The holes that a list of gaps doesn't speak of: none of them names what the hole is about. */
export function unnamedHoles(holes: readonly Hole[], gaps: readonly string[]): readonly Hole[] {
  return holes.filter(({ id }) => !gaps.some((gap) => names(gap, id)));
}

/** Returns true if a text names an id: `US-1-1` isn't named by `US-1-10` or `US-1-1.AC2`. */
export function names(text: string, id: string): boolean {
  const plain = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-]|\\.AC\\d)`, 'i').test(text);
}
