import { CommitEvidence, type ProvedCommand } from '../../domain/proof/commitEvidence.ts';
import type { Client } from '../../protocol/api.ts';
import type { DiffFile, DiffView } from '../../protocol/review.ts';
import { readArtifact } from '../../protocol/readDocument.ts';

export type FileProof = (file: Pick<DiffFile, 'path' | 'blob'>) => readonly ProvedCommand[];

/** The commands that ran on a file as the bead left it: the bead's own, and those of the final test. */
export async function readFileProof(
  client: Client,
  ticket: string,
  bead: string,
  { to }: Pick<DiffView, 'to'>,
): Promise<FileProof> {
  const [own, last] = await Promise.all(
    [bead, 'final_test'].map((work) =>
      readArtifact(client, ticket, `commit_evidence:${work}`, CommitEvidence),
    ),
  );
  const whole = last && (await client.diffs.diff(ticket, { kind: 'ticket' }));
  const ofBead = own?.commit === to ? own.commands : [];
  const ofAll = last && whole?.to === last.commit ? last.commands : [];
  return ({ path, blob }) => {
    const isKept = whole?.files.some((file) => file.path === path && file.blob === blob) === true;
    return isKept ? [...ofBead, ...ofAll] : ofBead;
  };
}
