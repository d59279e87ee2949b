import { checked, wrongTicket } from '../domain/documents/base/check.ts';
import { ReceivedHandoff, receivedHandoffDocument } from '../domain/documents/receivedHandoff.ts';
import { readText, writeText } from '../domain/documents/base/text.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { emptyHandoff } from '../domain/handoff/handoff.ts';
import { usedIn } from '../domain/usage/budgets.ts';
import { limitsBehind } from '../domain/beads/limitsBehind.ts';
import { limitsHash, limitsOf, withChange } from '../domain/settings/limits.ts';
import type { BeadReview, LimitsReceipt } from '../domain/workflow/receipts.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import type { ActionChanges, ChangesBuilder } from '../engine/drive/control.ts';
import { refused } from '../engine/journal/transition.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { Change } from '../engine/ports/storePort.ts';
import { mayLeaveOut, partRow } from '../context/partRow.ts';
import { isEditable, type PromptChoices, withEdits, withRule } from '../domain/prompts/promptChoices.ts';
import type { ContextEntry } from '../domain/prompts/contextEntries.ts';
import { filedContext } from './shared/ticket/contextEntries.ts';
import { choicesOf } from './shared/ticket/promptChoices.ts';
import { type ArtifactType, keptOverAttempts } from '../domain/ticket/artifacts.ts';
import { Interview, interviewDocument } from '../domain/requirements/interview.ts';
import { inFull } from '../domain/settings/settings.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import { storedDocument } from './shared/ticket/artifacts.ts';

/**
 * The receipt of an accepted bead. Throws STALE_APPROVAL if the bead's diff isn't the one the person saw, or
 * if there is none yet.
 */
const beadReview: ChangesBuilder<'accept_bead'> = async (ports, ticket, { bead, sha256, reason }) => {
  const diff = await ports.store.artifact(ticket.id, `bead_diff:${bead}`);
  if (diff?.info.sha256 !== sha256)
    throw new BeadsmithError('STALE_APPROVAL', { artifact: `The diff of ${bead}` });
  const receipt: BeadReview = {
    schema_version: 1,
    bead_id: bead,
    verdict: 'accepted',
    diff_sha256: sha256,
    reason,
    reviewed_by: 'user',
    reviewed_at: new Date(ports.clock.now()).toISOString(),
  };
  // Filed with CODING, which has no attempts, so that it isn't archived when the ticket goes back.
  return [firstAttempt('CODING', `bead_review:${bead}`, receipt)];
};

/**
 * The changes for new limits: the ticket, from which the next run takes them, and a receipt. An open run
 * keeps its own limits, so that it replays unchanged. Throws EDIT_CONFLICT if the limits aren't those the
 * person saw.
 */
const limitsReceipt: ChangesBuilder<'limits'> = (ports, ticket, body) => {
  const before = limitsOf(ticket);
  if (!before || !ticket.settings || limitsHash(before) !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `The limits of ${ticket.id}` });
  const [paused] =
    ticket.hold?.kind === 'budget' && ticket.error ? limitsBehind(ticket.error, ticket.previousStatus) : [];
  const raised = paused && body.limits[paused];
  const used = ticket.error ? usedIn(ticket.error) : 0;
  if (raised !== undefined && raised > 0 && raised <= used)
    throw invalid('The limit', `${String(Math.ceil(used))} are used already. Give more, or 0 for no limit.`);
  const after = withChange(before, body.limits);
  const { tokenBudget, ...limits } = after;
  const receipt: LimitsReceipt = {
    schema_version: 1,
    before,
    after,
    reason: body.reason,
    changed_by: 'user',
    changed_at: new Date(ports.clock.now()).toISOString(),
  };
  return [
    { type: 'ticket', set: { limits, settings: { ...ticket.settings, tokenBudget } } },
    // Filed with DRAFT, which froze the previous limits and is never archived.
    firstAttempt('DRAFT', 'limits_receipt', receipt),
  ];
};

/**
 * The received handoff as a person wants it (docs/decisions/139-retrospective-and-handoff.md); every later
 * call gets this version. Throws INVALID_INPUT if there is none, EDIT_CONFLICT if it isn't the one the person
 * saw, INVALID_ARTIFACT.
 */
const editedHandoff: ChangesBuilder<'edit_handoff'> = async ({ store }, ticket, { baseSha256, content }) => {
  const { kind, subject, format } = receivedHandoffDocument;
  const stored = await store.artifact(ticket.id, kind);
  if (!stored) throw invalid('The edit', `${ticket.id} has no received handoff`);
  if (stored.info.sha256 !== baseSha256) throw new BeadsmithError('EDIT_CONFLICT', { artifact: subject });
  const present = ReceivedHandoff.parse(valueOf(subject, stored.content));
  const edited = content.trim() === '' ? { ...present, ...emptyHandoff } : valueOf(subject, content);
  const read = checked(ReceivedHandoff, edited);
  const problem = read.ok
    ? (wrongTicket(read.value, ticket.id) ??
      (read.value.from === present.from ? undefined : `from must be ${present.from}.`))
    : read.error;
  if (!read.ok || problem !== undefined)
    throw new BeadsmithError('INVALID_ARTIFACT', { artifact: subject, reason: problem ?? '' });
  const { status, attempt } = stored.info;
  return [{ type: 'artifact', artifact: kind, content: writeText(format, read.value), status, attempt }];
};

function valueOf(subject: string, content: string): unknown {
  const read = readText(receivedHandoffDocument.format, content);
  if (read.ok) return read.value;
  throw new BeadsmithError('INVALID_ARTIFACT', { artifact: subject, reason: read.error });
}

/**
 * A rule for a part of later prompts. Throws INVALID_INPUT for a part that there isn't, or that has to be
 * sent, and for a bead that isn't in the plan.
 */
const promptRule: ChangesBuilder<'prompt_rule'> = async (ports, ticket, { part, rule, bead }) => {
  if (!partRow(part)) throw invalid(`The part "${part}"`, 'no prompt has a part of that name');
  if (rule === 'exclude' && !mayLeaveOut(part))
    throw invalid(`The part "${part}"`, 'a prompt makes no sense without it');
  if (bead !== null && !(await ports.store.beads(ticket.id)).some(({ id }) => id === bead))
    throw invalid(`The bead "${bead}"`, `${ticket.id} has no bead with that id`);
  const choices = await choicesOf(ports, ticket.id);
  return [filed(withRule(choices, { part, rule: rule === 'none' ? null : rule, bead }))];
};

/** The wish to see the next prompt before it is sent. It has an id of its own, so that it is met once. */
const previewWish: ChangesBuilder<'preview_prompt'> = async (ports, ticket) => [
  filed({ ...(await choicesOf(ports, ticket.id)), preview: ports.clock.randomId() }),
];

/** Another text for context that agents are still to get. Throws CONTEXT_UNKNOWN, CONTEXT_DELIVERED. */
const editedContext: ChangesBuilder<'edit_context'> = async (ports, ticket, { entry, text }) => {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found && !isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
  return [filed({ ...choices, edits: { ...choices.edits, [entry]: text } })];
};

/**
 * Takes context back that agents are still to get. One that waits in the inbox is compared and set: if a
 * handler takes it at the same time, one of both is refused. Throws CONTEXT_UNKNOWN, CONTEXT_DELIVERED.
 */
const withdrawal: ChangesBuilder<'withdraw_context'> = async (ports, ticket, { entry }) => {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found) {
    if (!isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
    return [filed({ ...choices, edits: { ...choices.edits, [entry]: null } })];
  }
  return [refused({ id: entry }, new BeadsmithError('CONTEXT_WITHDRAWN')).change];
};

/**
 * The entry as a handler filed it, or none where it still waits in the inbox. Throws CONTEXT_UNKNOWN,
 * CONTEXT_DELIVERED for one that was used up or is kept as a text.
 */
async function standingEntry(
  ports: Pick<Ports, 'store'>,
  ticket: Ticket,
  entry: string,
): Promise<{ readonly found: ContextEntry | undefined; readonly choices: PromptChoices }> {
  const choices = await choicesOf(ports, ticket.id);
  const found = withEdits(await filedContext(ports, ticket.id), choices).find(({ id }) => id === entry);
  if (found) return { found, choices };
  const waiting = (await ports.store.inbox(ticket.id)).find(
    ({ id, kind }) => id === entry && kind === 'context',
  );
  if (!waiting) throw new BeadsmithError('CONTEXT_UNKNOWN', { ticket: ticket.id, entry });
  if (waiting.state !== 'pending') throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
  return { found, choices };
}

/** Filed with DRAFT, which is never archived: the choices hold for the whole ticket. */
function filed(choices: PromptChoices): Change {
  return firstAttempt('DRAFT', 'prompt_choices', choices);
}

/**
 * The statuses in which a ticket is planned quickly: what it made there is archived when it is planned in
 * full.
 */
const quickStatuses: readonly Status[] = ['PLANNING_QUICK', 'WAITING_QUICK_ANSWERS', 'WAITING_PLAN_APPROVAL'];

/**
 * A quick ticket gets its council, and keeps what was said: the scan, the answers, and the person's note go
 * to every later call.
 */
const planInFull: ChangesBuilder<'plan_in_full'> = async ({ store }, ticket, { note }) => {
  const said = [
    (await store.artifact(ticket.id, 'user_context'))?.content,
    await answersOf(store, ticket.id),
    note.trim(),
  ];
  const context = said.filter((text) => text !== undefined && text !== '').join('\n\n');
  return [
    ...(ticket.settings ? [{ type: 'ticket', set: { settings: inFull(ticket.settings) } } as const] : []),
    { type: 'artifacts.archive', statuses: quickStatuses, keep: keptOverAttempts },
    { type: 'beads', beads: [] },
    ...(context === '' ? [] : [firstAttempt('SCANNING_RELEVANT_FILES', 'user_context', context)]),
  ];
};

/** An artifact of a status's first attempt. What isn't a text is written as JSON. */
function firstAttempt(status: Status, artifact: ArtifactType, value: unknown): Change {
  const content = typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`;
  return { type: 'artifact', artifact, content, status, attempt: 1 };
}

function invalid(what: string, reason: string): BeadsmithError {
  return new BeadsmithError('INVALID_INPUT', { what, reason });
}

/** Returns a person's answers before the switch, as the later interview reads them. */
async function answersOf(store: Ports['store'], ticket: string): Promise<string> {
  if (!(await store.artifact(ticket, interviewDocument.kind))) return '';
  const io = { ticket, ports: { store } };
  const { document } = await storedDocument(io, interviewDocument.kind, Interview);
  const answered = document.questions.filter(({ answer }) => !answer.skipped);
  const lines = answered.map(({ prompt, options, answer }) => {
    const chosen = answer.selected_option_ids.map(
      (id) => options.find((option) => option.id === id)?.label ?? id,
    );
    return `- ${prompt} ${[...chosen, answer.free_text].filter((text) => text !== '').join('; ')}`;
  });
  return lines.length === 0 ? '' : ['Asked and answered before the interview:', ...lines].join('\n');
}

/** The receipt that each action of the effect `receipt` files. Leave one out and it doesn't compile. */
export const receiptBuilders: ActionChanges['receipts'] = {
  accept_bead: beadReview,
  withdraw_context: withdrawal,
  edit_context: editedContext,
  prompt_rule: promptRule,
  preview_prompt: previewWish,
  limits: limitsReceipt,
  edit_handoff: editedHandoff,
};

/** The changes of each move that changes something. Leave one out and it doesn't compile. */
export const moveBuilders: ActionChanges['moves'] = { plan_in_full: planInFull };
