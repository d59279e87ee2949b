import { type CouncilDraft, CouncilDrafts, type CouncilVote, CouncilVotes, CouncilWinner } from '../domain/council.ts';
import { type Domain, councilKinds } from '../domain/documents/documents.ts';
import { type Opinion, opinionsOf } from '../domain/council/opinions.ts';
import type { Client } from './api.ts';
import { readArtifact } from './readDocument.ts';

/** What a council left behind, as far as it came: nobody voted on a single draft, and a council that came to nothing has no winner. */
interface CouncilPapers {
  readonly drafts: readonly CouncilDraft[] | undefined;
  readonly votes: readonly CouncilVote[];
  readonly winner: CouncilWinner | undefined;
}

/** Reads what a document's council left behind. */
export async function readCouncilPapers(client: Client, ticket: string, domain: Domain): Promise<CouncilPapers> {
  const [drafts, votes, winner] = await Promise.all([
    readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts),
    readArtifact(client, ticket, `${domain}_votes`, CouncilVotes),
    readArtifact(client, ticket, `${domain}_winner`, CouncilWinner),
  ]);
  return { drafts: drafts?.drafts, votes: votes?.votes ?? [], winner };
}

/** How a council decided, as the command line reports it. `totals` are 0 to 100, by member. */
export interface CouncilReport {
  readonly domain: Domain;
  readonly winner: string;
  readonly tie: boolean;
  readonly totals: Readonly<Record<string, number>>;
  readonly opinions: readonly Opinion[];
}

/** How each council of a ticket decided that came to a winner. */
export async function readCouncilReports(client: Client, ticket: string): Promise<CouncilReport[]> {
  const reports = await Promise.all(
    councilKinds.map(async (domain) => {
      const { winner, votes } = await readCouncilPapers(client, ticket, domain);
      if (!winner) return undefined;
      return { domain, winner: winner.winner, tie: winner.tie, totals: winner.totals, opinions: opinionsOf(votes) };
    }),
  );
  return reports.filter((report) => report !== undefined);
}
