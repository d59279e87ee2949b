import type { ArtifactInfo } from '../../domain/artifacts.ts';

/** Documents a person may want to read, in the order in which a ticket gets them. */
export const documentTypes = [
  'relevant_files',
  'interview',
  'prd',
  'beads',
  'execution_setup_plan',
  'final_test_report',
  'manual_qa_checklist',
  'integration_report',
  'pull_request_report',
] as const;
export type DocumentType = (typeof documentTypes)[number];

/** The documents that exist now. The beads are rows, so there they are as soon as there is one. */
export function documentsOf(beads: number, artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[]): readonly DocumentType[] {
  return documentTypes.filter((type) =>
    type === 'beads' ? beads > 0 : artifacts.some((artifact) => artifact.type === type && !artifact.archived),
  );
}
