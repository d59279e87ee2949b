import { failureText } from '../domain/beads/failure.ts';
import { Failures } from '../domain/beads/reports.ts';
import { filled, type Words } from '../domain/core/errors.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';
import type { ShownAttempt } from './shownAttempt.ts';

/** A failed iteration of a bead, or attempt at setup or final test (`bead`: null). */
type FailedAttempt = Failures['failures'][number] & Pick<ShownAttempt, 'of' | 'bead'>;

/** A failed attempt in words. */
export function shownAttempt({ failure, ...kept }: FailedAttempt, words: Words = filled): ShownAttempt {
  const { reason, advice } = failure ? failureText(failure, words) : { reason: '', advice: '' };
  return { ...kept, reason, advice, tests: failure?.tests ?? [], output: failure?.output ?? '' };
}

/** True if an artifact keeps failures. */
export function keepsFailures(type: string): boolean {
  return type === 'setup_failures' || type === 'final_test_failures' || type.startsWith('bead_failures:');
}

/** A ticket's failures, in the order of the work. */
export async function readFailures(client: Client, ticket: string): Promise<readonly FailedAttempt[]> {
  const read = async (
    artifact: string,
    about: Pick<FailedAttempt, 'of' | 'bead'>,
  ): Promise<readonly FailedAttempt[]> =>
    ((await readArtifact(client, ticket, artifact, Failures))?.failures ?? []).map((one) => ({
      ...about,
      ...one,
    }));
  const kept = new Set(
    (await client.artifacts(ticket)).filter(({ archived }) => !archived).map(({ type }) => type),
  );
  const { beads } = await client.beads(ticket);
  const sources = [
    { artifact: 'setup_failures', of: 'setup', bead: null } as const,
    ...beads.map(({ id }) => ({ artifact: `bead_failures:${id}`, of: 'bead', bead: id }) as const),
    { artifact: 'final_test_failures', of: 'final_test', bead: null } as const,
  ].filter(({ artifact }) => kept.has(artifact));
  return (await Promise.all(sources.map(({ artifact, ...about }) => read(artifact, about)))).flat();
}
