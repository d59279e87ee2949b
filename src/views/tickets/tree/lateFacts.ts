import type { Domain } from '../../../domain/documents/documents.ts';
import { CouncilDrafts, CouncilVotes, CouncilWinner } from '../../../domain/council/council.ts';
import { passed } from '../../../domain/core/evidence.ts';
import { BeadExecution, Failures } from '../../../domain/beads/reports.ts';
import type { Client } from '../../../protocol/api.ts';
import { readArtifact } from '../../../protocol/readDocument.ts';
import { callFacts } from './callFacts.ts';
import type { FactTree } from './facts.ts';

/** The children of a fact whose documents are read only when it is unfolded. */
export async function lateFacts(
  client: Client,
  ticket: string,
  { key, fact }: FactTree,
): Promise<readonly FactTree[]> {
  if (fact.kind === 'council') return councilFacts(client, ticket, key, fact.domain);
  if (fact.kind === 'calls') return callFacts(client, ticket, key);
  if (fact.kind === 'failures') return failureFacts(client, ticket, key, fact.artifact);
  return fact.kind === 'evidence' ? evidenceFacts(client, ticket, key, fact.artifact) : [];
}

/** Each member's draft with what it was given, the winner first, then who voted. */
async function councilFacts(
  client: Client,
  ticket: string,
  key: string,
  domain: Domain,
): Promise<readonly FactTree[]> {
  const [drafts, votes, winner] = await Promise.all([
    readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts),
    readArtifact(client, ticket, `${domain}_votes`, CouncilVotes),
    readArtifact(client, ticket, `${domain}_winner`, CouncilWinner),
  ]);
  const score = (member: string): number | null => winner?.totals[member] ?? null;
  const sorted = (drafts?.drafts ?? []).toSorted(
    (a, b) =>
      Number(b.member === winner?.winner) - Number(a.member === winner?.winner) ||
      (score(b.member) ?? 0) - (score(a.member) ?? 0),
  );
  return [
    ...sorted.map(({ member, outcome }) => ({
      key: `${key}/draft/${member}`,
      fact: {
        kind: 'draft',
        domain,
        member,
        outcome,
        score: score(member),
        isWinner: member === winner?.winner,
      } as const,
      children: [],
    })),
    ...(votes?.votes ?? []).map(({ voter, outcome }) => ({
      key: `${key}/vote/${voter}`,
      fact: { kind: 'vote', domain, voter, outcome } as const,
      children: [],
    })),
  ];
}

/** Reads the result of an iteration, and each command the engine ran itself. */
async function evidenceFacts(
  client: Client,
  ticket: string,
  key: string,
  artifact: string,
): Promise<readonly FactTree[]> {
  const execution = await readArtifact(client, ticket, artifact, BeadExecution);
  if (!execution) return [];
  const { outcome, reason, evidence } = execution;
  return [
    { key: `${key}/verdict`, fact: { kind: 'verdict', outcome, reason }, children: [] },
    ...evidence.map((one, index) => ({
      key: `${key}/${String(index)}`,
      fact: {
        kind: 'command',
        command: one.command,
        passed: passed(one),
        exitCode: one.exitCode,
        durationMs: one.durationMs,
      } as const,
      children: [],
    })),
  ];
}

/** Reads the reason why each iteration failed, newest first. */
async function failureFacts(
  client: Client,
  ticket: string,
  key: string,
  artifact: string,
): Promise<readonly FactTree[]> {
  const stored = await readArtifact(client, ticket, artifact, Failures);
  const bead = artifact.slice(artifact.indexOf(':') + 1);
  return (stored?.failures ?? []).toReversed().map(({ iteration, interrupted, failure }) => ({
    key: `${key}/${String(iteration)}`,
    fact: { kind: 'failure', bead, iteration, interrupted, failure } as const,
    children: [],
  }));
}
