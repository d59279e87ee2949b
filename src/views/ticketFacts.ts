import type { ArtifactInfo } from '../domain/artifacts.ts';
import type { TicketDetail } from '../protocol/api.ts';

/** One line below a ticket. */
export type Fact =
  | { readonly kind: 'status'; readonly label: string; readonly hold: string | null }
  | { readonly kind: 'beads'; readonly done: number; readonly total: number }
  | { readonly kind: 'error'; readonly message: string; readonly nextStep: string }
  | { readonly kind: 'branch'; readonly branch: string }
  | { readonly kind: 'document'; readonly artifact: DocumentType };

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

/** What the tree tells of a ticket, the most urgent first. */
export function ticketFacts(detail: TicketDetail, artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[]): readonly Fact[] {
  const { view, error, ticket } = detail;
  return [
    { kind: 'status', label: view.label, hold: view.hold },
    ...(error ? [{ kind: 'error', message: error.message, nextStep: error.nextStep } as const] : []),
    ...(view.beadsTotal > 0 ? [{ kind: 'beads', done: view.beadsDone, total: view.beadsTotal } as const] : []),
    ...(ticket.branch === null ? [] : [{ kind: 'branch', branch: ticket.branch } as const]),
    ...documentsOf(view.beadsTotal, artifacts).map((artifact) => ({ kind: 'document', artifact }) as const),
  ];
}

/** The documents that exist now. The beads are rows, so there they are as soon as there is one. */
export function documentsOf(beads: number, artifacts: readonly Pick<ArtifactInfo, 'type' | 'archived'>[]): readonly DocumentType[] {
  return documentTypes.filter((type) =>
    type === 'beads' ? beads > 0 : artifacts.some((artifact) => artifact.type === type && !artifact.archived),
  );
}
