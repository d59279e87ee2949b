import { type CouncilVote, scoreSum } from '../../domain/council/council.ts';
import { opinionsOf, told } from '../../domain/council/opinions.ts';
import { councilKinds } from '../../domain/documents/documents.ts';
import type { Client } from '../../protocol/api.ts';
import { readCouncilPapers } from '../../protocol/councilPapers.ts';
import type { CouncilTable } from '../../protocol/pages/ticket.ts';

/**
 * Returns the record of each council that met, also of one that came to nothing: who proposed, who voted how,
 * who was refused and why.
 */
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
