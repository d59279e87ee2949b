import { jsonOf } from '../../base/json.ts';
import {
  CommitEvidence,
  evidenceRef,
  readNote,
  sealed,
  type TicketEvidence,
} from '../../domain/proof/commitEvidence.ts';
import type { TicketId } from '../../domain/core/ids.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { Git } from '../../engine/ports/ports.ts';
import type { Store } from '../../engine/ports/storePort.ts';

export async function ticketEvidence(
  store: Pick<Store, 'artifacts' | 'artifactContent'>,
  ticket: Ticket,
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

/** From notes, which anyone with write access can write. */
export async function evidenceInNotes(git: Pick<Git, 'notes'>, ticket: TicketId): Promise<TicketEvidence> {
  const evidence = [...(await git.notes(evidenceRef)).values()]
    .flatMap(readNote)
    .filter((proof) => proof.ticket === ticket)
    .sort((a, b) => (a.proved_at < b.proved_at ? -1 : 1));
  return sealed({
    schema_version: 1,
    ticket,
    branch: null,
    base: { branch: null, commit: evidence[0]?.base ?? null },
    evidence,
  });
}

function parsed(content: string | undefined): readonly CommitEvidence[] {
  const evidence = CommitEvidence.safeParse(jsonOf(content ?? '')).data;
  return evidence ? [evidence] : [];
}
