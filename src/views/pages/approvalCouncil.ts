import * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { scoreSum } from '../../domain/council.ts';
import { opinionsOf, told } from '../../domain/council/opinions.ts';
import { type ChangeRecord, ChangeRecords } from '../../domain/documents/interview.ts';
import { type Domain, documents } from '../../domain/documents/documents.ts';
import type { Client } from '../../protocol/api.ts';
import { readCouncilPapers } from '../../protocol/councilPapers.ts';
import type { Attribution, Council } from '../../protocol/pages/approval.ts';
import { readArtifact } from '../../protocol/readDocument.ts';

const Changes = z.object({ changes: ChangeRecords });

const longestText = 200;

/** How a document was decided: who proposed, who voted how, what the winner took from others. Null when there was no council. */
export async function readCouncil(client: Client, ticket: string, domain: Domain): Promise<Council | null> {
  const { winner, drafts = [], votes } = await readCouncilPapers(client, ticket, domain);
  if (!winner) return null;
  const changes = (await readArtifact(client, ticket, documents[domain].council.refined, Changes))?.changes ?? [];
  // The order in which the winner saw the drafts, its own first.
  const valid = drafts.filter(({ outcome }) => outcome === 'completed').map(({ member }) => member);
  const order = [winner.winner, ...valid.filter((member) => member !== winner.winner)];
  return {
    winner: winner.winner,
    tie: winner.tie,
    members: drafts.map(({ member, outcome, error }) => ({
      name: member,
      outcome,
      error: error ?? '',
      total: winner.totals[member] ?? null,
    })),
    votes: votes.flatMap((vote) =>
      Object.entries(vote.scores).map(([member, score]) => ({
        voter: vote.voter,
        member,
        sum: scoreSum(score),
        reason: told(vote, score.reason),
      })),
    ),
    opinions: opinionsOf(votes),
    changes: changes.map((change) => attribution(change, order)),
  };
}

function attribution({ type, item_type, before, after, inspiration }: ChangeRecord, order: readonly string[]): Attribution {
  return {
    type,
    item: item_type ?? '',
    before: lineOf(before),
    after: lineOf(after),
    inspiredBy: inspiration ? inspirer(inspiration.alternative_draft, order) : null,
  };
}

/** A draft is named by the label the winner saw, `Draft 2`, or by its number. What names none of them is shown as it is. */
function inspirer(label: string | number | undefined, order: readonly string[]): string | null {
  if (label === undefined) return null;
  const place = Number(/^\s*(?:draft[\s_-]*)?(\d{1,3})\s*$/i.exec(String(label))?.[1] ?? Number.NaN);
  return order[place - 1] ?? String(label).slice(0, longestText);
}

/** A changed item in a line: what it is called, after its id. */
function lineOf(item: unknown): string {
  if (typeof item === 'string') return short(item);
  if (!isRecord(item)) return '';
  const name = [item['title'], item['question'], item['prompt']].find((text) => typeof text === 'string') ?? '';
  const id = typeof item['id'] === 'string' ? item['id'] : '';
  return short([id, name].filter((text) => text !== '').join(' '));
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line;
}
