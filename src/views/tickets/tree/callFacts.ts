import { l10n, type Uri } from 'vscode';
import type { HitState } from '../../../domain/promptCache/cacheHistory.ts';
import type { Client } from '../../../protocol/api.ts';
import type { InspectedPart } from '../../../protocol/inspection.ts';
import { promptUri } from '../../documents/promptAddress.ts';
import { plainLabel } from '../../shared/plainText.ts';
import type { CallFact, Fact, FactTree } from './facts.ts';
import type { ItemParts } from './rowItems.ts';

/** More rows are no overview; the ticket page has them all. */
const mostCalls = 50;

/**
 * The newest calls of models, each with the parts of its prompt in the order in which they were sent
 * (docs/prompt-cache.md).
 */
export async function callFacts(client: Client, ticket: string, key: string): Promise<readonly FactTree[]> {
  const calls = await client.history.inspect(ticket);
  return calls
    .slice(-mostCalls)
    .toReversed()
    .map(({ id, prompt, member, outcome, label, bead, iteration, startedAt, reported, parts }) => {
      const tokens = reported?.prompt ?? parts.reduce((sum, part) => sum + part.tokens, 0);
      const about = { prompt, member, outcome, label, bead, iteration, startedAt };
      return {
        key: `${key}/${id}`,
        fact: { kind: 'call', call: id, ...about, tokens, isEstimated: reported === null } as const,
        children: parts.map((part, index) => ({
          key: `${key}/${id}/${String(index)}`,
          fact: { kind: 'part', call: id, prompt, part } as const,
          children: [],
        })),
      };
    });
}

/** The row of a call. */
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
    description: [size, became, plainLabel(place)].filter((text) => text !== '').join(' · '),
    icon: icons[outcome],
    tooltip: () =>
      [prompt, place, member, size, became, new Date(startedAt).toLocaleString()]
        .filter((text) => text !== '')
        .join('\n'),
    context: `call;${outcome};`,
  };
}

/** The row of a part of a prompt. What was reported and what was predicted never stand for each other. */
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
    description: [size, state].filter((text) => text !== '').join(' · '),
    icon: reported === 'hit' ? 'pass' : 'symbol-snippet',
    tooltip: () => lines.filter((line) => line !== '').join('\n'),
    context: 'part',
  };
}

/** The text that was sent, which the row of a part opens; undefined for other rows. A call unfolds. */
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
