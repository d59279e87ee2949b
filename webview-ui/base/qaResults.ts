import * as z from 'zod';
import type { QaChecklist, QaResults } from '../../src/domain/documents/qaChecklist.ts';

/** A person's result of a check, as far as there is one. */
export const QaResult = z.object({
  result: z.enum(['pass', 'fail', 'waive']).nullable(),
  observation: z.string().max(20_000),
});
export type QaResult = z.infer<typeof QaResult>;

export const untouched: QaResult = { result: null, observation: '' };

export interface QaProgress {
  readonly given: number;
  readonly isUnexplained: boolean;
  readonly canSend: boolean;
  readonly body: QaResults;
}

/** Sums up what was given so far: whether it can be sent, and the body that carries it. */
export function qaProgress({ items }: QaChecklist, results: Readonly<Record<string, QaResult>>): QaProgress {
  const of = (id: string): QaResult => results[id] ?? untouched;
  const given = items.filter(({ id }) => of(id).result !== null);
  const isUnexplained = given.some(({ id }) => of(id).result === 'fail' && of(id).observation.trim() === '');
  // With something to fix already, the rest is tried again in the next round.
  const isFailed = given.some(({ id }) => of(id).result === 'fail');
  const isOpen =
    !isFailed && items.some(({ id, severity }) => severity === 'required' && of(id).result === null);
  const body = given.flatMap(({ id }) => {
    const { result, observation } = of(id);
    return result === null ? [] : [[id, { result, observation: observation.trim() }] as const];
  });
  return {
    given: given.length,
    isUnexplained,
    canSend: given.length > 0 && !isUnexplained && !isOpen,
    body: { results: Object.fromEntries(body) },
  };
}
