import { jsonOf } from '../../../base/json.ts';
import { CommitEvidence, sealed, type TicketEvidence } from '../../../domain/proof/commitEvidence.ts';
import type { Ticket } from '../../../domain/ticket/ticket.ts';
import type { Store } from '../../../engine/ports/storePort.ts';

/** All proofs of a ticket, oldest first. */
export async function ticketEvidence(
  store: Pick<Store, 'artifacts' | 'artifactContent'>,
  ticket: Pick<Ticket, 'id' | 'branch' | 'baseBranch' | 'baseCommit'>,
): Promise<TicketEvidence> {
  const { id, branch, baseBranch, baseCommit } = ticket;
  const infos = (await store.artifacts(id, { type: 'commit_evidence:' })).toSorted((a, b) => a.id - b.id);
  const contents = await Promise.all(infos.map((info) => store.artifactContent(info.id)));
  const evidence = contents.flatMap((content) => parsed(content));
  return sealed({
    schema_version: 1,
    ticket: id,
    branch,
    base: { branch: baseBranch, commit: baseCommit },
    evidence,
  });
}

function parsed(content: string | undefined): readonly CommitEvidence[] {
  const evidence = CommitEvidence.safeParse(jsonOf(content ?? '')).data;
  return evidence ? [evidence] : [];
}
