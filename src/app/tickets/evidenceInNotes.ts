import { evidenceRef, readNote, sealed, type TicketEvidence } from '../../domain/proof/commitEvidence.ts';
import type { TicketId } from '../../domain/core/ids.ts';
import type { Git } from '../../engine/ports/ports.ts';

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
