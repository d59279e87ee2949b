import { type CouncilDraft, CouncilDrafts, type CouncilVote, CouncilVotes, CouncilWinner } from '../../domain/council.ts';
import type { Domain } from '../../domain/workflow/rows.ts';
import type { Client } from '../../protocol/api.ts';
import { readArtifact } from '../../protocol/readDocument.ts';

/** What a council left behind, as far as it came: nobody voted on a single draft, and a council that came to nothing has no winner. */
interface CouncilPapers {
  readonly drafts: readonly CouncilDraft[] | undefined;
  readonly votes: readonly CouncilVote[];
  readonly winner: CouncilWinner | undefined;
}

export async function readCouncilPapers(client: Client, ticket: string, domain: Domain): Promise<CouncilPapers> {
  const [drafts, votes, winner] = await Promise.all([
    readArtifact(client, ticket, `${domain}_drafts`, CouncilDrafts),
    readArtifact(client, ticket, `${domain}_votes`, CouncilVotes),
    readArtifact(client, ticket, `${domain}_winner`, CouncilWinner),
  ]);
  return { drafts: drafts?.drafts, votes: votes?.votes ?? [], winner };
}
