import type { ArtifactInfo } from '../../domain/ticket/artifacts.ts';
import { documentKinds, documentOfType } from '../../domain/documents/documents.ts';
import { qaChecklistDocument } from '../../domain/documents/qaChecklist.ts';

/** Documents a person may want to read, in the order in which a ticket gets them. */
export const documentTypes = [
  ...documentKinds.filter((kind) => kind !== qaChecklistDocument.kind),
  'final_test_report',
  qaChecklistDocument.kind,
  'integration_report',
  'pull_request_report',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The documents that exist now. The beads are rows, so there they are as soon as there is one. */
export function documentsOf(
  beads: number,
  artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[],
): readonly DocumentType[] {
  return documentTypes.filter((type) =>
    documentOfType(type)?.rows
      ? beads > 0
      : artifacts.some((artifact) => artifact.type === type && !artifact.archived),
  );
}

/** A version of a document as a list of them shows it. */
export interface VersionRow {
  readonly version: number;
  /** The one that counts now, of those that aren't archived. */
  readonly present: boolean;
  readonly archived: boolean;
  readonly status: ArtifactInfo['status'];
  readonly attempt: number;
  readonly createdAt: number;
}

/** The versions of a type of document, newest first. */
export function versionsOf(artifacts: readonly ArtifactInfo[], type: string): readonly VersionRow[] {
  const versions = artifacts.filter((info) => info.type === type).toSorted((a, b) => b.version - a.version);
  const present = versions.find(({ archived }) => !archived)?.version;
  return versions.map(({ version, archived, status, attempt, createdAt }) => ({
    version,
    archived,
    status,
    attempt,
    createdAt,
    present: version === present,
  }));
}

/** Returns the version that another one is compared with: the one before it; undefined for the first. */
export function previousOf(versions: readonly VersionRow[], version: number): VersionRow | undefined {
  return versions.find((row) => row.version < version);
}
