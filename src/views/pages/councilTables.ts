import { type CouncilDraft, CouncilDrafts, type CouncilVote, CouncilVotes, CouncilWinner, scoreSum } from '../../domain/council.ts';
import { councilKinds, type Domain } from '../../domain/documents/documents.ts';
import type { Client } from '../../protocol/api.ts';
import type { CouncilTable } from '../../protocol/pages/ticket.ts';
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

/** How each council that met fared, also one that came to nothing: who proposed, who voted how, who was refused and why. */
export async function councilTables(client: Client, ticket: string): Promise<CouncilTable[]> {
  const tables = await Promise.all(councilKinds.map((domain) => readTable(client, ticket, domain)));
  return tables.filter((table) => table !== undefined);
}

async function readTable(client: Client, ticket: string, domain: CouncilTable['domain']): Promise<CouncilTable | undefined> {
  const { drafts, votes: ballots, winner } = await readCouncilPapers(client, ticket, domain);
  if (!drafts) return undefined;
  return {
    domain,
    voters: ballots.map(({ voter }) => voter),
    tie: winner?.tie ?? false,
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
      };
    }),
  };
}

function scoreOf({ voter, scores }: CouncilVote, member: string): CouncilTable['members'][number]['scores'][number] {
  const score = scores[member];
  if (!score) return { voter, sum: null, reason: '' };
  return { voter, sum: scoreSum(score), reason: score.reason };
}
