import type { ArtifactInfo } from '../../domain/artifacts.ts';
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
export function documentsOf(beads: number, artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[]): readonly DocumentType[] {
  return documentTypes.filter((type) =>
    documentOfType(type)?.rows ? beads > 0 : artifacts.some((artifact) => artifact.type === type && !artifact.archived),
  );
}
