import {
  type CouncilDraft,
  CouncilDrafts,
  type CouncilVote,
  CouncilVotes,
  CouncilWinner,
} from '../domain/council/council.ts';
import { CouncilLedger } from '../domain/council/ledger.ts';
import { type Domain, councilKinds } from '../domain/documents/documents.ts';
import { type Opinion, opinionsOf } from '../domain/council/opinions.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

interface CouncilPapers {
  readonly drafts: readonly CouncilDraft[] | undefined;
  readonly votes: readonly CouncilVote[];
  /** Found without a model, by member. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Fewer members than the setting wants. */
  readonly fewer: { readonly decided: number; readonly wanted: number } | null;
  readonly winner: CouncilWinner | undefined;
  /** Null before the winner refined its draft. */
  readonly ledger: CouncilLedger | null;
}

/** Reads a document's council. */
export async function readCouncilPapers(
  client: Client,
  ticket: string,
  domain: Domain,
): Promise<CouncilPapers> {
  const [drafts, votes, winner, ledger] = await Promise.all([
    readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts),
    readArtifact(client, ticket, `${domain}_votes`, CouncilVotes),
    readArtifact(client, ticket, `${domain}_winner`, CouncilWinner),
    readArtifact(client, ticket, `${domain}_ledger`, CouncilLedger),
  ]);
  const { votes: ballots = [], checks = {}, fewer = null } = votes ?? {};
  return { drafts: drafts?.drafts, votes: ballots, checks, fewer, winner, ledger: ledger ?? null };
}

/** A council's result for the CLI. `totals`: 0 to 100, by member. */
export interface CouncilReport extends Pick<CouncilPapers, 'checks' | 'fewer' | 'ledger'> {
  readonly domain: Domain;
  readonly winner: string;
  readonly tie: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly opinions: readonly Opinion[];
}

/** Reads a ticket's councils with a winner. */
export async function readCouncilReports(client: Client, ticket: string): Promise<CouncilReport[]> {
  const reports = await Promise.all(
    councilKinds.map(async (domain) => {
      const { winner, votes, checks, fewer, ledger } = await readCouncilPapers(client, ticket, domain);
      if (!winner) return undefined;
      return {
        domain,
        winner: winner.winner,
        tie: winner.tie,
        totals: winner.totals,
        opinions: opinionsOf(votes),
        checks,
        fewer,
        ledger,
      };
    }),
  );
  return reports.filter((report) => report !== undefined);
}
