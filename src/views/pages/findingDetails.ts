import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { FindingRow, TicketFindings } from '../../protocol/pages/reviews.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { type ListedFinding, listedFindings, overStates } from '../../protocol/findings/findingStates.ts';
import type { TicketPlace } from '../shared/workbench.ts';

export async function findingDetails({
  repository: { client },
  ticket,
}: TicketPlace): Promise<Given<TicketFindings>> {
  const [document, found, { beads }, { view }, reviewers] = await Promise.all([
    readArtifact(client, ticket, findingsDocument.kind, Findings),
    client.findings.list(ticket),
    client.beads(ticket),
    client.ticket(ticket),
    client.findings.reviewers(),
  ]);
  const listed = new Map(listedFindings(found, beads).map((one) => [one.finding.id, one]));
  const isOpen = view.actions.includes('finding');
  const reviews = Map.groupBy(document?.reviews ?? [], ({ bead }) => bead);
  const order = [...new Set([...beads.map(({ id }) => id), ...reviews.keys()])];
  return {
    beads: order.flatMap((bead) => {
      const own = reviews.get(bead);
      if (!own) return [];
      const title = beads.find(({ id }) => id === bead)?.title ?? bead;
      const rows = own.map((review) => ({ ...review, findings: rowsOf(review, listed, isOpen) }));
      return [{ bead, title, reviews: rows.toReversed() }];
    }),
    reviewers,
  };
}

/** An iteration that was started again has a finding of the same id in a newer review, which counts. */
function rowsOf(
  { findings, candidate }: Findings['reviews'][number],
  listed: ReadonlyMap<string, ListedFinding>,
  isOpen: boolean,
): readonly FindingRow[] {
  return findings.flatMap(({ id }) => {
    const one = listed.get(id);
    if (one?.review.candidate !== candidate) return [];
    const { test, ...finding } = one.finding;
    const { decision, state, pending, sha256 } = one;
    const canDecide = isOpen && pending === null && !overStates.has(state);
    return [
      {
        ...finding,
        ...(test && { test: { file: test.file, command: test.command } }),
        decision,
        state,
        pending,
        sha256,
        canDecide,
      },
    ];
  });
}
