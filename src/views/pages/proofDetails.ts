import { jsonOf } from '../../base/json.ts';
import { CommitEvidence } from '../../domain/proof/commitEvidence.ts';
import { WeakenedTests } from '../../domain/proof/weakening.ts';
import type { Client } from '../../protocol/api.ts';
import { readFailures, shownAttempt } from '../../protocol/failures.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { ShownAttempt } from '../../protocol/shownAttempt.ts';
import type { ProvedCommit } from '../../protocol/pages/ticket.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { PassEntry } from '../../domain/beads/passes.ts';
import { beadRecordsDocument } from '../../domain/documents/beadRecords.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import type { PassRow } from '../../protocol/pages/reviews.ts';
import { words } from '../shared/errorText.ts';

/** More of them make a page slow. */
const mostAttempts = 50;

export async function failedAttempts(client: Client, ticket: string): Promise<readonly ShownAttempt[]> {
  const attempts = (await readFailures(client, ticket)).slice(-mostAttempts).toReversed();
  return attempts.map((one) => shownAttempt(one, words));
}

/** Oldest first: the newest proof of each bead, of the final test and of the integration. */
export async function provedCommits(client: Client, ticket: string): Promise<Given<ProvedCommit[]>> {
  const infos = (await client.artifacts(ticket)).filter(
    ({ type, archived }) => type.startsWith('commit_evidence:') && !archived,
  );
  const types = [...new Map(infos.toSorted((a, b) => a.id - b.id).map(({ type, id }) => [type, id]))].sort(
    ([, a], [, b]) => a - b,
  );
  const proofs = await Promise.all(types.map(([type]) => readArtifact(client, ticket, type, CommitEvidence)));
  return Promise.all(
    proofs
      .filter((proof) => proof !== undefined)
      .map(async (proof) => {
        const type = `weakened_tests_receipt:${proof.bead ?? proof.of.replace('_', '-')}`;
        const weakened = await readArtifact(client, ticket, type, WeakenedTests);
        return { ...proof, weakened: weakened ?? null };
      }),
  );
}

/** See docs/decisions/140-passes.md. Entries of another kind are skipped. */
export async function passRows(client: Client, ticket: string): Promise<readonly PassRow[]> {
  const stored = await client.artifact(ticket, beadRecordsDocument.kind);
  return (stored?.content ?? '').split('\n').flatMap((line) => {
    const record = BeadRecord.safeParse(jsonOf(line)).data;
    const entry = record?.kind === 'gate' ? PassEntry.safeParse(record.payload).data : undefined;
    return record && entry ? [{ ...record, ...entry }] : [];
  });
}
