import { l10n } from 'vscode';
import { joined } from '../../base/joined.ts';
import { jsonOf } from '../../base/json.ts';
import { passed } from '../../domain/core/evidence.ts';
import { CommitEvidence, type ProvedCommand } from '../../domain/proof/commitEvidence.ts';
import { WeakenedTests, weakeningLabels } from '../../domain/proof/testIntegrity.ts';
import type { Client } from '../../protocol/api.ts';
import { type FailedAttempt as StoredAttempt, readFailures } from '../../protocol/failures.ts';
import type { FailedAttempt, ProvedCommit } from '../../protocol/pages/ticket.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { loopEnds, PassEntry, passTexts } from '../../domain/beads/passes.ts';
import { beadRecordsDocument } from '../../domain/documents/beadRecords.ts';
import { BeadRecord } from '../../domain/records/records.ts';
import type { PassRow } from '../../protocol/pages/reviews.ts';
import { failureWords } from '../shared/errorText.ts';

/** More of them make a page slow. */
const mostAttempts = 50;

export async function failedAttempts(client: Client, ticket: string): Promise<FailedAttempt[]> {
  return (await readFailures(client, ticket)).slice(-mostAttempts).toReversed().map(shown);
}

function shown({ of, bead, iteration, interrupted, failure, note, ref }: StoredAttempt): FailedAttempt {
  const { reason, advice } = failure
    ? failureWords(failure)
    : { reason: interrupted ? l10n.t('interrupted') : l10n.t('failed'), advice: '' };
  return {
    name: nameOf(of, bead, iteration),
    bead,
    iteration,
    reason,
    advice,
    tests: failure?.tests ?? [],
    output: failure?.output ?? '',
    note,
    ref,
  };
}

function nameOf(of: StoredAttempt['of'], bead: string | null, number: number): string {
  if (bead !== null) return l10n.t('{0}, iteration {1}', bead, number);
  return of === 'setup' ? l10n.t('Setup, attempt {0}', number) : l10n.t('Final test, attempt {0}', number);
}

/** Oldest first: the newest proof of each bead, of the final test and of the integration. */
export async function provedCommits(client: Client, ticket: string): Promise<ProvedCommit[]> {
  const infos = (await client.artifacts(ticket)).filter(
    ({ type, archived }) => type.startsWith('commit_evidence:') && !archived,
  );
  const types = [...new Map(infos.toSorted((a, b) => a.id - b.id).map(({ type, id }) => [type, id]))].sort(
    ([, a], [, b]) => a - b,
  );
  const proofs = await Promise.all(types.map(([type]) => readArtifact(client, ticket, type, CommitEvidence)));
  return Promise.all(
    proofs.filter((proof) => proof !== undefined).map((proof) => provedCommit(client, ticket, proof)),
  );
}

async function provedCommit(
  client: Client,
  ticket: string,
  { of, bead, commit, tree, made, commands, proved_at }: CommitEvidence,
): Promise<ProvedCommit> {
  const work = of === 'final_test' ? 'final-test' : bead;
  const accepted =
    work === null
      ? undefined
      : await readArtifact(client, ticket, `weakened_tests_receipt:${work}`, WeakenedTests);
  const acceptedAt = timeOf(accepted?.accepted_at ?? '');
  return {
    name: bead ?? (of === 'final_test' ? l10n.t('Final test') : l10n.t('Integration')),
    commit,
    tree,
    made,
    provedAt: timeOf(proved_at),
    commands: commands.map(commandRow),
    weaker: (accepted?.weakenings ?? []).map(({ kind, path, line, text }) => ({
      place: line === null ? path : `${path}:${String(line)}`,
      label: l10n.t(weakeningLabels[kind]),
      text,
      acceptedAt,
    })),
  };
}

export function commandRow(ran: ProvedCommand): ProvedCommit['commands'][number] {
  const {
    command,
    exitCode,
    signal,
    timedOut,
    durationMs,
    knownFailures,
    flaky,
    flakyTests,
    without,
    counts,
  } = ran;
  return {
    command,
    timedOut,
    durationMs,
    passed: passed(ran),
    result: signal ?? String(exitCode ?? ''),
    known: knownFailures ?? null,
    flaky: flaky === true,
    flakyTests: flakyTests ?? [],
    without: without ? String(without.exitCode ?? '') : null,
    tests: counts ? { ran: counts.ran, failed: counts.failed, skipped: counts.skipped ?? 0 } : null,
  };
}

export function timeOf(text: string): number | null {
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : time;
}

/** See docs/decisions/140-passes.md. Entries of another kind are skipped. */
export async function passRows(client: Client, ticket: string): Promise<PassRow[]> {
  const stored = await client.artifact(ticket, beadRecordsDocument.kind);
  return (stored?.content ?? '').split('\n').flatMap((line): readonly PassRow[] => {
    const record = BeadRecord.safeParse(jsonOf(line)).data;
    const entry = record?.kind === 'gate' ? PassEntry.safeParse(record.payload).data : undefined;
    if (!record || !entry) return [];
    const { pass, max, outcome, end } = entry;
    const ended = end === null ? '' : l10n.t('The loop ended: {0}.', l10n.t(loopEnds[end].label));
    const label = joined([l10n.t(passTexts[outcome]), ended], ' ');
    const passed = outcome === 'passed';
    return [
      {
        bead: record.bead,
        iteration: record.iteration,
        pass,
        most: max,
        passed,
        label,
        at: timeOf(record.at),
      },
    ];
  });
}
