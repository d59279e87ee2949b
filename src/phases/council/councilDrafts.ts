import { type CouncilDraft, CouncilDrafts, CouncilWinner } from '../../domain/council.ts';
import type { Domain } from '../../domain/workflowTypes.ts';
import type { RecordIo } from '../../engine/run.ts';
import { storedDocument } from '../storedDocument.ts';

/** The valid drafts of a council, in its order. */
export async function validDrafts(io: RecordIo, domain: Domain): Promise<readonly CouncilDraft[]> {
  const { document } = await storedDocument(io, `${domain}_drafts`, CouncilDrafts);
  return document.drafts.filter((draft) => draft.outcome === 'completed');
}

/** The texts of the valid drafts, the winner's first. */
export async function winnerFirst(io: RecordIo, domain: Domain): Promise<readonly string[]> {
  const [drafts, winner] = [await validDrafts(io, domain), await storedWinner(io, domain)];
  return [...drafts.filter((draft) => draft.member === winner), ...drafts.filter((draft) => draft.member !== winner)].map(
    (draft) => draft.content,
  );
}

/** The member that won a domain's vote. */
export async function storedWinner(io: RecordIo, domain: Domain): Promise<string> {
  return (await storedDocument(io, `${domain}_winner`, CouncilWinner)).document.winner;
}
