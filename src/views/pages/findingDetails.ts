import { l10n } from 'vscode';
import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import type { Given } from '../../protocol/pages/frame.ts';
import type { FindingReview, FindingRow, TicketFindings } from '../../protocol/pages/reviews.ts';
import { readArtifact } from '../../protocol/readDocument.ts';
import { type ListedFinding, listedFindings, overStates } from '../../protocol/findingStates.ts';
import { doubtTexts, severityLabels, standingText, voteLabels } from '../../protocol/findingTexts.ts';
import { words } from '../shared/errorText.ts';
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
      return [{ bead, title, reviews: own.map((review) => reviewRow(review, listed, isOpen)).toReversed() }];
    }),
    reviewers,
  };
}

/** An iteration that was started again has a finding of the same id in a newer review, which counts. */
function reviewRow(
  { iteration, round, reviewer, at, checked, findings, candidate, party }: Findings['reviews'][number],
  listed: ReadonlyMap<string, ListedFinding>,
  isOpen: boolean,
): FindingReview {
  const rows = findings.flatMap(({ id }) => {
    const one = listed.get(id);
    return one?.review.candidate === candidate ? [findingRow(one, isOpen)] : [];
  });
  return {
    iteration,
    round,
    reviewer,
    at,
    checked,
    party: partyOf(party),
    findings: rows,
  };
}

function partyOf(party: Findings['reviews'][number]['party']): FindingReview['party'] {
  if (!party) return null;
  const participants = party.participants.map(({ name, title }) => `${name} (${title})`);
  return {
    isSolo: party.mode === 'solo',
    participants,
    missing: party.missing.map(({ id, reason }) => `${id}: ${reason}`),
  };
}

function findingRow(one: ListedFinding, isOpen: boolean): FindingRow {
  const { finding, decision, state, pending, sha256 } = one;
  const { id, severity, category, file, line, claim, evidence, suggestedFix, test, doubt } = finding;
  return {
    id,
    severity,
    category,
    file,
    line,
    claim,
    evidence,
    suggestedFix,
    state,
    sha256,
    severityLabel: l10n.t(severityLabels[severity]),
    test: test ? { file: test.file, command: test.command } : null,
    label: standingText(one, words),
    doubt: doubt === null ? '' : l10n.t(doubtTexts[doubt]),
    personas: finding.personas ?? [],
    ballots: (finding.ballots ?? []).map(({ persona, vote, reason }) => ({
      persona,
      vote: l10n.t(voteLabels[vote]),
      reason,
    })),
    decision: decision && { verdict: decision.verdict, reason: decision.reason },
    canDecide: isOpen && pending === null && !overStates.has(state),
  };
}
