import { Findings, findingsDocument } from '../../domain/documents/findings.ts';
import {
  type DecidedFinding,
  decidedFindings,
  type FindingDecision,
  lastDecisions,
} from '../../domain/findings/decision.ts';
import type { Finding } from '../../domain/findings/finding.ts';
import { inboxBodies, type ChangeItem, type InboxEntry } from '../../domain/ticket/inbox.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo } from '../../engine/run/run.ts';
import {
  artifactChange,
  inCoding,
  isoNow,
  storedDocument,
  type StoreIo,
  yamlText,
} from './ticket/artifacts.ts';
import { refuseEntry } from './ticket/receipts.ts';
import { appendRecord, type Told } from './ticket/records.ts';

const mostChanges = 50;

export async function storedFindings(io: StoreIo): Promise<Findings> {
  const { kind } = findingsDocument;
  if (await io.ports.store.artifact(io.ticket, kind))
    return (await storedDocument(io, kind, Findings)).document;
  return { schema_version: 1, ticket_id: io.ticket, artifact: kind, reviews: [], decisions: [] };
}

export function saveFindings(io: RecordIo, ticket: TicketSnapshot, document: Findings): void {
  io.save(artifactChange({ ...ticket, ...inCoding }, findingsDocument.kind, yamlText(document)));
}

/**
 * Carries out decisions about findings (docs/decisions/133-people-decide-about-findings.md). A step calls it
 * once, and saves neither findings nor records otherwise.
 */
export async function decideFindings(
  io: RecordIo,
  ticket: TicketSnapshot,
  entries: readonly InboxEntry<'finding'>[],
): Promise<Findings> {
  let document = await storedFindings(io);
  const done = new Set(
    (await io.ports.store.beads(ticket.id)).flatMap(({ id, status }) => (status === 'done' ? [id] : [])),
  );
  const records: Told[] = [];
  for (const entry of entries) {
    const body = inboxBodies.finding.parse(entry.body);
    const found = decidedFindings(document.reviews, document.decisions).find(
      ({ finding }) => finding.id === body.finding,
    );
    if (!found) {
      refuseEntry(io, entry, 'FINDING_UNKNOWN', { ticket: ticket.id, finding: body.finding.slice(0, 80) });
      continue;
    }
    if (body.sha256 !== undefined && body.sha256 !== found.sha256) {
      refuseEntry(io, entry, 'EDIT_CONFLICT', { artifact: `Finding ${found.finding.id}` });
      continue;
    }
    const { verdict, reason } = body;
    const { bead, iteration } = found.review;
    const isPlanned = verdict === 'accept' && found.standing === 'fix' && !done.has(bead);
    const became = isPlanned ? 'fix' : null;
    const decision: FindingDecision = {
      finding: found.finding.id,
      verdict,
      reason,
      by: 'user',
      at: isoNow(io),
      became,
    };
    document = { ...document, decisions: [...document.decisions, decision] };
    remember(io, found, decision);
    records.push({
      bead,
      iteration,
      kind: 'human_note',
      payload: { finding: decision.finding, verdict, reason },
    });
  }
  if (records.length === 0) return document;
  saveFindings(io, ticket, document);
  await appendRecord(io, inCoding, ...records);
  return document;
}

function remember(
  io: RecordIo,
  { finding, decision: before }: DecidedFinding,
  { verdict, reason, at }: FindingDecision,
): void {
  const { id, category, file, claim } = finding;
  if (verdict === 'dismiss')
    io.save({ type: 'dismissal', finding: id, claim: { category, file, claim, reason, at } });
  else if (before?.verdict === 'dismiss') io.save({ type: 'dismissal', finding: id, claim: null });
}

function openDecisions({ reviews, decisions }: Findings): readonly DecidedFinding[] {
  return decidedFindings(reviews, decisions).filter(
    ({ decision }) => decision !== null && decision.verdict !== 'dismiss' && decision.became === null,
  );
}

export function becoming(
  document: Findings,
  ids: readonly string[],
  became: NonNullable<FindingDecision['became']>,
): Findings {
  const last = lastDecisions(document.decisions);
  const decisions = document.decisions.map((decision) =>
    ids.includes(decision.finding) && last.get(decision.finding) === decision
      ? { ...decision, became }
      : decision,
  );
  return { ...document, decisions };
}

function changeOf({ finding, review, decision }: DecidedFinding): ChangeItem {
  const { id, file, line, claim, suggestedFix } = finding;
  const wishes = [
    `A review found this (${id}), and a person wants it fixed: ${claim}`,
    ...(suggestedFix.trim() === '' ? [] : [`Suggested: ${suggestedFix}`]),
    ...(decision === null || decision.reason === '' ? [] : [`The person says: ${decision.reason}`]),
  ];
  return { text: wishes.join('\n\n'), bead: review.bead, file, ...(line === null ? {} : { line }) };
}

export function withoutDecided({ decisions }: Findings, planned: readonly Finding[]): readonly Finding[] {
  const last = lastDecisions(decisions);
  return planned.filter(({ id }) => (last.get(id)?.verdict ?? 'accept') === 'accept');
}

export function toFix(
  document: Findings,
  planned: readonly Finding[],
  { bead, iteration }: { readonly bead: string; readonly iteration: number },
): readonly Finding[] {
  const left = withoutDecided(document, planned);
  const accepted = openDecisions(document)
    .filter(
      ({ decision, review }) =>
        decision?.verdict === 'accept' && review.bead === bead && review.iteration === iteration,
    )
    .map(({ finding }) => ({ ...finding, standing: 'fix' as const }));
  return [...left, ...accepted.filter(({ id }) => left.every((one) => one.id !== id))];
}

/** Decides findings; one that is to be fixed without a fix so far becomes a requested change. */
export async function findingChanges(
  io: RecordIo,
  ticket: TicketSnapshot,
  entries: readonly InboxEntry<'finding'>[],
): Promise<ChangeItem[]> {
  const document = await decideFindings(io, ticket, entries);
  const open = openDecisions(document).slice(0, mostChanges);
  const ids = open.map(({ finding }) => finding.id);
  if (ids.length > 0) saveFindings(io, ticket, becoming(document, ids, 'change'));
  return open.map(changeOf);
}
