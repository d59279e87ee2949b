import * as z from 'zod';
import { joined } from '../../base/joined.ts';
import { isRecord } from '../../base/json.ts';
import { oneLine } from '../../base/oneLine.ts';
import { type CouncilVote, scoreSum } from '../../domain/council/council.ts';
import { draftPlace } from '../../domain/council/labels.ts';
import { opinionsOf, told } from '../../domain/council/opinions.ts';
import { type ChangeRecord, ChangeRecords } from '../../domain/requirements/interview.ts';
import { councilKinds, documents, type Domain } from '../../domain/documents/documents.ts';
import type { Client } from '../../protocol/api.ts';
import { readCouncilPapers } from '../../protocol/councilPapers.ts';
import type { Attribution, Council } from '../../protocol/pages/approval.ts';
import { readArtifact, readDocument } from '../../protocol/readDocument.ts';
import type { CouncilTable } from '../../protocol/pages/ticket.ts';

/** Also of a council that came to nothing. */
export async function councilTables(client: Client, ticket: string): Promise<CouncilTable[]> {
  const tables = await Promise.all(councilKinds.map((domain) => readTable(client, ticket, domain)));
  return tables.filter((table) => table !== undefined);
}

async function readTable(
  client: Client,
  ticket: string,
  domain: CouncilTable['domain'],
): Promise<CouncilTable | undefined> {
  const {
    drafts,
    votes: ballots,
    winner,
    checks,
    fewer,
    ledger,
  } = await readCouncilPapers(client, ticket, domain);
  if (!drafts) return undefined;
  return {
    domain,
    voters: ballots.map(({ voter }) => voter),
    tie: winner?.tie ?? false,
    opinions: opinionsOf(ballots),
    fewer,
    ledger,
    members: drafts.map(({ member, outcome, error }) => {
      const own = ballots.find(({ voter }) => voter === member);
      return {
        name: member,
        draft: outcome,
        draftError: error ?? '',
        vote: own?.outcome ?? null,
        voteError: own?.error ?? '',
        scores: ballots.map((ballot) => scoreOf(ballot, member)),
        total: winner?.totals[member] ?? null,
        won: winner?.winner === member,
        checks: [...(checks[member] ?? [])],
      };
    }),
  };
}

function scoreOf(ballot: CouncilVote, member: string): CouncilTable['members'][number]['scores'][number] {
  const { voter, scores } = ballot;
  const score = scores[member];
  if (!score) return { voter, sum: null, reason: '' };
  return { voter, sum: scoreSum(score), reason: told(ballot, score.reason) };
}

const Changes = z.object({ changes: ChangeRecords });

const longestText = 200;

export async function readCouncil(client: Client, ticket: string, domain: Domain): Promise<Council | null> {
  const { winner, drafts = [], votes } = await readCouncilPapers(client, ticket, domain);
  if (!winner) return null;
  const refined = await readArtifact(client, ticket, documents[domain].council.refined, z.unknown());
  const { changes } = Changes.safeParse(refined).data ?? { changes: [] };
  const own = drafts.find(({ member }) => member === winner.winner)?.content ?? '';
  const names = { before: namesIn(await readDocument(own)), after: namesIn(refined) };
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
    changes: changes.map((change) => attribution(change, order, names)),
  };
}

type Names = ReadonlyMap<string, string>;

function attribution(
  { type, item_type, before, after, inspiration }: ChangeRecord,
  order: readonly string[],
  names: { readonly before: Names; readonly after: Names },
): Attribution {
  return {
    type,
    item: item_type ?? '',
    before: lineOf(before, names.before),
    after: lineOf(after, names.after),
    inspiredBy: inspiration ? inspirer(inspiration.alternative_draft, order) : null,
  };
}

/**
 * Drafts are named by the label the winner saw, `Draft 2`, or by number. What names none of them is shown as
 * it is.
 */
function inspirer(label: string | number | undefined, order: readonly string[]): string | null {
  if (label === undefined) return null;
  return order[draftPlace(label) ?? -1] ?? String(label).slice(0, longestText);
}

/** Changes often name only the id of an item; then the document says what it is called. */
function lineOf(item: unknown, names: Names): string {
  const id =
    typeof item === 'string' ? item : isRecord(item) && typeof item['id'] === 'string' ? item['id'] : '';
  const name = (isRecord(item) ? nameOf(item) : undefined) ?? names.get(id) ?? '';
  return oneLine(joined([id, name], ' '), longestText);
}

function namesIn(value: unknown): Names {
  if (Array.isArray(value)) return new Map(value.flatMap((item) => [...namesIn(item)]));
  if (!isRecord(value)) return new Map();
  const { id } = value;
  const name = nameOf(value);
  const own: readonly (readonly [string, string])[] =
    typeof id === 'string' && name !== undefined ? [[id, name]] : [];
  return new Map([
    ...own,
    ...Object.entries(value).flatMap(([key, item]) => (key === 'changes' ? [] : [...namesIn(item)])),
  ]);
}

function nameOf(item: Readonly<Record<string, unknown>>): string | undefined {
  return [item['title'], item['question'], item['prompt'], item['label']].find(
    (text) => typeof text === 'string' && text !== '',
  ) as string | undefined;
}
