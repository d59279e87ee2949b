import type { Given } from '../../protocol/pages/frame.ts';
import type { BeadFiles } from '../../protocol/pages/ticket.ts';
import { readFileProof } from '../review/fileProof.ts';
import type { ViewedFiles } from '../review/viewedFiles.ts';
import type { TicketPlace } from '../shared/workbench.ts';

/** More of them make a page slow; the diff has them all. */
const mostFiles = 300;

export async function beadFiles(
  { repository: { client, root }, ticket }: TicketPlace,
  bead: string,
  viewed: ViewedFiles,
): Promise<Given<BeadFiles>> {
  const diff = await client.diffs.diff(ticket, { kind: 'bead', bead });
  if (!diff) return { files: [], total: 0 };
  const [threads, proof] = await Promise.all([
    client.comments.threads(ticket),
    readFileProof(client, ticket, bead, diff),
  ]);
  const seen = viewed.of({ root, ticket });
  const files = diff.files.slice(0, mostFiles).map((file) => ({
    ...file,
    viewed: seen.has(bead, file),
    comments: threads.filter((thread) => thread.bead === bead && thread.path === file.path).length,
    commands: proof(file),
  }));
  return { files, total: diff.files.length };
}
