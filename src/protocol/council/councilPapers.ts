import { CouncilDrafts, CouncilVotes, CouncilWinner, scoreSum } from '../../domain/council/council.ts';
import { CouncilLedger } from '../../domain/council/ledger.ts';
import { type Domain, councilKinds } from '../../domain/documents/workDocuments.ts';
import { opinionsOf, told } from '../../domain/council/opinions.ts';
import type { Client } from '../api.ts';
import type { CouncilReport } from './councilReport.ts';
import { readArtifact } from '../readDocument.ts';

/** Reads a document's council, once it drafted. */
export async function readCouncil(
  client: Client,
  ticket: string,
  domain: Domain,
): Promise<CouncilReport | undefined> {
  const [drafts, votes, winner, ledger] = await Promise.all([
    readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts),
    readArtifact(client, ticket, `${domain}_votes`, CouncilVotes),
    readArtifact(client, ticket, `${domain}_winner`, CouncilWinner),
    readArtifact(client, ticket, `${domain}_ledger`, CouncilLedger),
  ]);
  if (!drafts && !winner) return undefined;
  const { votes: ballots = [], checks = {}, fewer = null } = votes ?? {};
  return {
    domain,
    winner: winner?.winner ?? null,
    tie: winner?.tie ?? false,
    totals: winner?.totals ?? {},
    drafts: (drafts?.drafts ?? []).map(({ member, outcome, error }) => ({ member, outcome, error })),
    votes: ballots.map((vote) => ({
      voter: vote.voter,
      outcome: vote.outcome,
      error: vote.error,
      scores: Object.fromEntries(
        Object.entries(vote.scores).map(([member, score]) => [
          member,
          { sum: scoreSum(score), reason: told(vote, score.reason) },
        ]),
      ),
    })),
    opinions: opinionsOf(ballots),
    checks,
    fewer,
    ledger: ledger ?? null,
  };
}

/** Reads a ticket's councils, also of one that came to nothing. */
export async function readCouncils(client: Client, ticket: string): Promise<readonly CouncilReport[]> {
  const read = await Promise.all(councilKinds.map((domain) => readCouncil(client, ticket, domain)));
  return read.filter((one) => one !== undefined);
}
