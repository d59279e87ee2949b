import * as z from 'zod';
import { filled } from '../core/errors.ts';

/** Sentences about missing links, for models and people. */
export const holeTexts = {
  question: 'No story names {id} in interview_refs, and no audit says why nothing follows from its answer.',
  /** In a draft without an audit. */
  draftQuestion: 'No story names {id} in interview_refs.',
  story: 'The story {id} has no source: its interview_refs name no question, and not “ticket”.',
  unmet: 'The audit names nothing that meets {id}.',
  criterion: 'No bead names {id} in prdRefs.',
  bead: 'The bead {id} has no criterion: its prdRefs name nothing of the PRD.',
  command: 'The bead {id} has no test commands, and no reason why in unprovedReason.',
  unknownQuestion: 'The story {id} names {name} in interview_refs, which is no question of the interview.',
  unknownName: 'The bead {id} names {name} in prdRefs, which the PRD doesn’t have.',
} as const;

/** A plan's missing link. `id`: its subject. */
export const Hole = z.object({
  kind: z.custom<keyof typeof holeTexts>(
    (kind) => typeof kind === 'string' && Object.hasOwn(holeTexts, kind),
  ),
  id: z.string(),
  /** The nonexistent name of `unknownQuestion` and `unknownName`. */
  name: z.string().optional(),
});
export type Hole = z.infer<typeof Hole>;

/** A hole as a sentence, for a gap. */
export function holeText({ kind, id, name = '' }: Hole): string {
  return filled(holeTexts[kind], { id, name });
}

/** Holes that no gap names. */
export function unnamedHoles(holes: readonly Hole[], gaps: readonly string[]): readonly Hole[] {
  return holes.filter(({ id }) => !gaps.some((gap) => names(gap, id)));
}

/** True if a text names exactly this id: `US-1-10` and `US-1-1.AC2` don't name `US-1-1`. */
export function names(text: string, id: string): boolean {
  const plain = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-]|\\.AC\\d)`, 'i').test(text);
}
