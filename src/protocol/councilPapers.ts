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

/** The documents of a council, as far as it came: nobody votes on a single draft. */
interface CouncilPapers {
  readonly drafts: readonly CouncilDraft[] | undefined;
  readonly votes: readonly CouncilVote[];
  /** The problems found in each draft without a model, by member. */
  readonly checks: Readonly<Record<string, readonly string[]>>;
  /** Number of members that decided, and the number wanted, if the setting asks for more. */
  readonly fewer: { readonly decided: number; readonly wanted: number } | null;
  readonly winner: CouncilWinner | undefined;
  /** Costs and contributions of its members; null before the winner refined its draft. */
  readonly ledger: CouncilLedger | null;
}

/** Reads what a document's council left behind. */
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

/** The result of a council, as the command line reports it. `totals` are 0 to 100, by member. */
export interface CouncilReport extends Pick<CouncilPapers, 'checks' | 'fewer' | 'ledger'> {
  readonly domain: Domain;
  readonly winner: string;
  readonly tie: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly opinions: readonly Opinion[];
}

/** Reads the result of each council of a ticket that came to a winner. */
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
