import { checked, wrongTicket } from '../domain/documents/base/check.ts';
import { ReceivedHandoff, receivedHandoffDocument } from '../domain/documents/receivedHandoff.ts';
import { readText, writeText } from '../domain/documents/base/text.ts';
import { BeadsmithError, invalidInput } from '../domain/core/errors.ts';
import { emptyHandoff } from '../domain/handoff/handoff.ts';
import { usedIn } from '../domain/usage/budgets.ts';
import { limitsBehind } from '../domain/beads/limitsBehind.ts';
import { limitsHash, limitsOf, withChange } from '../domain/settings/limits.ts';
import { namedModels, TicketModels, withModels } from '../domain/settings/models.ts';
import type { PassGates } from '../domain/settings/rows/planning.ts';
import {
  type BeadReview,
  type LimitsReceipt,
  ModelsReceipt,
  type PassGatesReceipt,
} from '../domain/workflow/receipts.ts';
import type { Ticket } from '../domain/ticket/ticket.ts';
import type { ActionChanges, ChangesBuilder } from '../engine/drive/control.ts';
import { refused } from '../engine/journal/transition.ts';
import type { Ports } from '../engine/ports/ports.ts';
import type { Change } from '../engine/ports/storePort.ts';
import { mayLeaveOut, partRow } from '../context/partRow.ts';
import { type PromptChoices, withEdits, withRule } from '../domain/prompts/promptChoices.ts';
import { type ContextEntry, isEditable } from '../domain/prompts/contextEntries.ts';
import { filedContext } from './shared/ticket/contextEntries.ts';
import { choicesOf } from './shared/ticket/promptChoices.ts';
import { keptOverAttempts } from '../domain/ticket/artifacts.ts';
import { Interview, interviewDocument } from '../domain/requirements/interview.ts';
import { inFull } from '../domain/settings/settings.ts';
import type { Status } from '../domain/workflow/workflow.ts';
import { checkModels } from './shared/knownModels.ts';
import {
  artifactChange,
  inCoding,
  type Place,
  storedDocument,
  storedJson,
} from './shared/ticket/artifacts.ts';

/** The place of what holds for the whole ticket: DRAFT is never archived. */
const inDraft: Place = { status: 'DRAFT', attempt: 1 };

/** Throws STALE_APPROVAL if the bead's diff isn't the one the person saw, or if there is none yet. */
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
  return [artifactChange(inCoding, `bead_review:${bead}`, receipt)];
};

/** An open run keeps its own limits, so that it replays unchanged. Throws EDIT_CONFLICT, INVALID_INPUT. */
const limitsReceipt: ChangesBuilder<'limits'> = (ports, ticket, body) => {
  const before = limitsOf(ticket);
  if (!before || !ticket.settings || limitsHash(before) !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `The limits of ${ticket.id}` });
  const [paused] =
    ticket.hold?.kind === 'budget' && ticket.error ? limitsBehind(ticket.error, ticket.previousStatus) : [];
  const raised = paused && body.limits[paused];
  const used = ticket.error ? usedIn(ticket.error) : 0;
  if (raised !== undefined && raised > 0 && raised <= used)
    throw invalidInput(
      'The limit',
      `${String(Math.ceil(used))} are used already. Give more, or 0 for no limit.`,
    );
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
    artifactChange(inDraft, 'limits_receipt', receipt),
  ];
};

/** Each call asks for the models again; see `memberNow`. Throws INVALID_INPUT, MODEL_UNKNOWN. */
const modelsChanged: ChangesBuilder<'change_models'> = async (ports, { id, settings, worktree }, body) => {
  if (!settings) throw invalidInput('The change', 'the ticket has not started');
  if (body.mainImplementer === '') throw invalidInput('The main implementer', 'it is empty');
  const changed = withModels(settings, body);
  const [was, named] = [namedModels(settings), namedModels(changed)];
  await checkModels(ports, worktree, named.difference(was));
  const earlier = await storedJson({ ticket: id, ports }, 'models_receipt', ModelsReceipt);
  const receipt: ModelsReceipt = {
    schema_version: 1,
    before: TicketModels.parse(settings),
    after: TicketModels.parse(changed),
    replaced: [...new Set([...(earlier?.replaced ?? []), ...was]).difference(named)],
    changed_by: 'user',
    changed_at: new Date(ports.clock.now()).toISOString(),
  };
  return [{ type: 'ticket', set: { settings: changed } }, artifactChange(inDraft, 'models_receipt', receipt)];
};

/** Holds from the next gate on: an open run keeps its own settings. */
const gatesChanged =
  (after: PassGates): ChangesBuilder<'wait_at_gates' | 'pass_gates'> =>
  ({ clock }, { settings }) => {
    if (!settings) throw invalidInput('The policy', 'the ticket has not started');
    const receipt: PassGatesReceipt = {
      schema_version: 1,
      before: settings.passGates,
      after,
      changed_by: 'user',
      changed_at: new Date(clock.now()).toISOString(),
    };
    return [
      { type: 'ticket', set: { settings: { ...settings, passGates: after } } },
      artifactChange(inDraft, 'pass_gates_receipt', receipt),
    ];
  };

/**
 * The received handoff that later calls get (docs/decisions/139-retrospective-and-handoff.md). Throws
 * INVALID_INPUT if there is none, EDIT_CONFLICT, INVALID_ARTIFACT.
 */
const editedHandoff: ChangesBuilder<'edit_handoff'> = async ({ store }, ticket, { baseSha256, content }) => {
  const { kind, subject, format } = receivedHandoffDocument;
  const stored = await store.artifact(ticket.id, kind);
  if (!stored) throw invalidInput('The edit', `${ticket.id} has no received handoff`);
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

/** Throws INVALID_INPUT for a part that there isn't or that has to be sent, and for an unknown bead. */
const promptRule: ChangesBuilder<'prompt_rule'> = async (ports, ticket, { part, rule, bead }) => {
  if (!partRow(part)) throw invalidInput(`The part "${part}"`, 'no prompt has a part of that name');
  if (rule === 'exclude' && !mayLeaveOut(part))
    throw invalidInput(`The part "${part}"`, 'a prompt makes no sense without it');
  if (bead !== null && !(await ports.store.beads(ticket.id)).some(({ id }) => id === bead))
    throw invalidInput(`The bead "${bead}"`, `${ticket.id} has no bead with that id`);
  const choices = await choicesOf(ports, ticket.id);
  return [filed(withRule(choices, { part, rule: rule === 'none' ? null : rule, bead }))];
};

/** Has an id of its own, so that it is met once. */
const previewWish: ChangesBuilder<'preview_prompt'> = async (ports, ticket) => [
  filed({ ...(await choicesOf(ports, ticket.id)), preview: ports.clock.randomId() }),
];

/** Throws CONTEXT_UNKNOWN, CONTEXT_DELIVERED. */
const editedContext: ChangesBuilder<'edit_context'> = async (ports, ticket, { entry, text }) => {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found && !isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
  return [filed({ ...choices, edits: { ...choices.edits, [entry]: text } })];
};

/** Takes context back; if a handler takes it meanwhile, one of both is refused. Throws as above. */
const withdrawal: ChangesBuilder<'withdraw_context'> = async (ports, ticket, { entry }) => {
  const { found, choices } = await standingEntry(ports, ticket, entry);
  if (found) {
    if (!isEditable(found)) throw new BeadsmithError('CONTEXT_DELIVERED', { entry });
    return [filed({ ...choices, edits: { ...choices.edits, [entry]: null } })];
  }
  return [refused({ id: entry }, new BeadsmithError('CONTEXT_WITHDRAWN')).change];
};

/** The entry as it is filed; `found` is undefined while it waits in the inbox. */
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

function filed(choices: PromptChoices): Change {
  return artifactChange(inDraft, 'prompt_choices', choices);
}

const quickStatuses: readonly Status[] = ['PLANNING_QUICK', 'WAITING_QUICK_ANSWERS', 'WAITING_PLAN_APPROVAL'];

/** Plans a quick ticket in full: the scan, the answers and the person's note go to every later call. */
const planInFull: ChangesBuilder<'plan_in_full'> = async ({ store }, ticket, { note }) => {
  const said = [
    (await store.artifact(ticket.id, 'user_context'))?.content,
    await answersOf(store, ticket.id),
    note.trim(),
  ];
  const context = said.filter((text) => text !== undefined && text !== '').join('\n\n');
  const scan: Place = { status: 'SCANNING_RELEVANT_FILES', attempt: 1 };
  return [
    ...(ticket.settings ? [{ type: 'ticket', set: { settings: inFull(ticket.settings) } } as const] : []),
    { type: 'artifacts.archive', statuses: quickStatuses, keep: keptOverAttempts },
    { type: 'beads', beads: [] },
    ...(context === '' ? [] : [artifactChange(scan, 'user_context', context)]),
  ];
};

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

export const receiptBuilders: ActionChanges['receipts'] = {
  accept_bead: beadReview,
  withdraw_context: withdrawal,
  edit_context: editedContext,
  prompt_rule: promptRule,
  preview_prompt: previewWish,
  limits: limitsReceipt,
  change_models: modelsChanged,
  wait_at_gates: gatesChanged('off'),
  pass_gates: gatesChanged('always'),
  edit_handoff: editedHandoff,
};

export const moveBuilders: ActionChanges['moves'] = { plan_in_full: planInFull };
