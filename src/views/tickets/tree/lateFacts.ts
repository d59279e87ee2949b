import type { ArtifactInfo } from '../../../domain/ticket/artifacts.ts';
import type { Client } from '../../../protocol/api.ts';
import { fileOf } from '../../../protocol/documents.ts';
import { documentTypes } from '../../documents/documentTypes.ts';
import { readFileProof } from '../../review/fileProof.ts';
import { type FactTree, node } from './facts.ts';

/** Children that are read only when the fact is unfolded. */
export async function lateFacts(
  client: Client,
  ticket: string,
  { key, fact }: FactTree,
): Promise<readonly FactTree[]> {
  if (fact.kind === 'bead') return fileFacts(client, ticket, key, fact.bead);
  return fact.kind === 'details' ? detailFacts(client, ticket, key) : [];
}

/** More rows are no overview; the diff has them all. */
const mostFiles = 300;

/** Without a row the editor would fold the bead. */
async function fileFacts(
  client: Client,
  ticket: string,
  key: string,
  bead: string,
): Promise<readonly FactTree[]> {
  const diff = await client.diffs.diff(ticket, { kind: 'bead', bead });
  const { files = [] } = diff ?? {};
  if (!diff || files.length === 0) return [node(`${key}/none`, { kind: 'noFiles' })];
  const left = files.length - mostFiles;
  const proof = await readFileProof(client, ticket, bead, diff);
  return [
    ...files
      .slice(0, mostFiles)
      .map((file) => node(`${key}/files/${file.path}`, { kind: 'file', bead, proof: proof(file), ...file })),
    ...(left > 0 ? [node(`${key}/more`, { kind: 'moreFiles', bead, count: left })] : []),
  ];
}

export function hasDetails(artifacts: readonly ArtifactInfo[]): boolean {
  return artifacts.some(({ type }) => isShown(type));
}

/** Every version of every document, and notes that no review has used yet: nothing else shows them. */
async function detailFacts(client: Client, ticket: string, key: string): Promise<readonly FactTree[]> {
  const [artifacts, notes] = await Promise.all([
    client.artifacts(ticket),
    client.findings.waitingNotes(ticket),
  ]);
  return [
    ...notes.toReversed().map(({ id, text }) => node(`${key}/notes/${id}`, { kind: 'reviewNote', text })),
    ...artifactFacts(key, artifacts),
  ];
}

/** The documents people look for come first, in the order in which a ticket gets them. */
function artifactFacts(parent: string, artifacts: readonly ArtifactInfo[]): readonly FactTree[] {
  const known: readonly string[] = documentTypes;
  const shown = new Set(artifacts.map(({ type }) => type).filter(isShown));
  const types = [
    ...known.filter((type) => shown.has(type)),
    ...[...shown].filter((type) => !known.includes(type)),
  ];
  return types.flatMap((type) => {
    const versions = artifacts.filter((info) => info.type === type).toSorted((a, b) => b.version - a.version);
    const present = versions.find(({ archived }) => !archived) ?? versions[0];
    if (!present) return [];
    const key = `${parent}/${type}`;
    const older = versions.map((info) =>
      node(`${key}/${String(info.version)}`, { ...artifactFact(info, versions.length), kind: 'version' }),
    );
    return [node(key, artifactFact(present, versions.length), older.length < 2 ? [] : older)];
  });
}

/** The others are on the ticket page, or in the diff of their bead. */
function isShown(type: string): boolean {
  const isElsewhere = /^bead_(?:execution|diff|commit|failures):|^commit_evidence:|^full_answers:/.test(type);
  return fileOf(type) !== undefined && !isElsewhere;
}

function artifactFact({ type, version, archived, createdAt }: ArtifactInfo, versions: number) {
  return { kind: 'artifact', artifact: type, version, archived, createdAt, versions } as const;
}
