import { l10n, type Uri } from 'vscode';
import { joined } from '../../../base/joined.ts';
import type { Domain } from '../../../domain/documents/documents.ts';
import { CouncilDrafts, CouncilVotes, CouncilWinner } from '../../../domain/council/council.ts';
import { passed } from '../../../domain/core/evidence.ts';
import { BeadExecution, Failures } from '../../../domain/beads/reports.ts';
import type { Client } from '../../../protocol/api.ts';
import { readArtifact } from '../../../protocol/readDocument.ts';
import type { HitState } from '../../../domain/promptCache/cacheHistory.ts';
import type { InspectedPart } from '../../../protocol/inspection.ts';
import { promptUri } from '../../documents/promptAddress.ts';
import { plainLabel } from '../../shared/plainText.ts';
import { type CallFact, type Fact, type FactTree, node } from './facts.ts';
import type { ItemParts } from './rowItems.ts';

/** Children whose documents are read only when the fact is unfolded. */
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
    ...sorted.map(({ member, outcome }) => {
      const isWinner = member === winner?.winner;
      return node(`${key}/draft/${member}`, {
        kind: 'draft',
        domain,
        member,
        outcome,
        score: score(member),
        isWinner,
      });
    }),
    ...(votes?.votes ?? []).map(({ voter, outcome }) =>
      node(`${key}/vote/${voter}`, { kind: 'vote', domain, voter, outcome }),
    ),
  ];
}

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
    node(`${key}/verdict`, { kind: 'verdict', outcome, reason }),
    ...evidence.map((one, index) => {
      const { command, exitCode, durationMs } = one;
      return node(`${key}/${String(index)}`, {
        kind: 'command',
        command,
        passed: passed(one),
        exitCode,
        durationMs,
      });
    }),
  ];
}

async function failureFacts(
  client: Client,
  ticket: string,
  key: string,
  artifact: string,
): Promise<readonly FactTree[]> {
  const stored = await readArtifact(client, ticket, artifact, Failures);
  const bead = artifact.slice(artifact.indexOf(':') + 1);
  return (stored?.failures ?? [])
    .toReversed()
    .map(({ iteration, interrupted, failure }) =>
      node(`${key}/${String(iteration)}`, { kind: 'failure', bead, iteration, interrupted, failure }),
    );
}

/** More rows are no overview; the ticket page has them all. */
const mostCalls = 50;

/** See docs/prompt-cache.md. */
export async function callFacts(client: Client, ticket: string, key: string): Promise<readonly FactTree[]> {
  const calls = await client.history.inspect(ticket);
  return calls
    .slice(-mostCalls)
    .toReversed()
    .map(({ id, prompt, member, outcome, label, bead, iteration, startedAt, reported, parts }) => {
      const tokens = reported?.prompt ?? parts.reduce((sum, part) => sum + part.tokens, 0);
      const about = { prompt, member, outcome, label, bead, iteration, startedAt };
      return node(
        `${key}/${id}`,
        { kind: 'call', call: id, ...about, tokens, isEstimated: reported === null },
        parts.map((part, index) =>
          node(`${key}/${id}/${String(index)}`, { kind: 'part', call: id, prompt, part }),
        ),
      );
    });
}

export function callParts({
  prompt,
  member,
  outcome,
  label,
  bead,
  iteration,
  startedAt,
  tokens,
  isEstimated,
}: CallFact): ItemParts {
  const place = bead === null ? l10n.t(label) : l10n.t('{0}, iteration {1}', bead, iteration ?? 0);
  const size = isEstimated ? l10n.t('about {0} tokens', count(tokens)) : l10n.t('{0} tokens', count(tokens));
  const became = { accepted: '', rejected: l10n.t('rejected'), failed: l10n.t('failed') }[outcome];
  const icons = { accepted: 'pass', rejected: 'close', failed: 'error' } as const;
  return {
    label: prompt,
    description: joined([size, became, plainLabel(place)]),
    icon: icons[outcome],
    tooltip: () => joined([prompt, place, member, size, became, new Date(startedAt).toLocaleString()], '\n'),
    context: `call;${outcome};`,
  };
}

/** Reported and predicted tokens never stand for each other. */
export function partParts({
  name,
  stability,
  tokens,
  sha256,
  changedAt,
  reported,
  predicted,
}: InspectedPart): ItemParts {
  const classes = [
    l10n.t('for the ticket'),
    l10n.t('for the bead'),
    l10n.t('for the attempt'),
    l10n.t('for the call'),
  ];
  const size = l10n.t('{0} tokens', count(tokens));
  const state = reported === 'unknown' ? '' : stateText(reported);
  const lines = [
    name,
    size,
    stability === null ? '' : l10n.t('Stable {0}', classes[stability] ?? ''),
    l10n.t('Unchanged since {0}', new Date(changedAt).toLocaleString()),
    l10n.t('Cache, predicted: {0}', predicted === 'unknown' ? '–' : stateText(predicted)),
    l10n.t('Cache, reported: {0}', state === '' ? '–' : state),
    sha256.slice(0, 8),
  ];
  return {
    label: name,
    description: joined([size, state]),
    icon: reported === 'hit' ? 'pass' : 'symbol-snippet',
    tooltip: () => joined(lines, '\n'),
    context: 'part',
  };
}

/** The text that the row of a part opens; undefined for other rows. */
export function sentPrompt(root: string, ticket: string, fact: Fact): Uri | undefined {
  return fact.kind === 'part' ? promptUri(root, ticket, { id: fact.call, prompt: fact.prompt }) : undefined;
}

function stateText(state: Exclude<HitState, 'unknown'>): string {
  const texts = {
    hit: l10n.t('in the cache'),
    partial: l10n.t('partly in the cache'),
    miss: l10n.t('not in the cache'),
  };
  return texts[state];
}

function count(tokens: number): string {
  return tokens.toLocaleString();
}
