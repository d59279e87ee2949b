import type * as z from 'zod';
import { sha256 } from '../base/sha256.ts';
import type { Bead } from '../domain/beads/bead.ts';
import { checked, wrongTicket } from '../domain/documents/base/check.ts';
import { ReceivedHandoff, receivedHandoffDocument } from '../domain/documents/receivedHandoff.ts';
import { readText, writeText } from '../domain/documents/base/text.ts';
import { BeadsmithError, invalidInput } from '../domain/core/errors.ts';
import { emptyHandoff } from '../domain/handoff/handoff.ts';
import { documents, type UngatedKind } from '../domain/documents/documents.ts';
import { promptRulesDocument } from '../domain/documents/promptRules.ts';
import { changedLimits, ticketLimitsDocument } from '../domain/documents/ticketLimits.ts';
import type { InboxBody } from '../domain/ticket/inbox.ts';
import type { Document } from '../domain/documents/base/document.ts';
import { limitsHash, limitsOf, type TicketLimits, withChange } from '../domain/settings/limits.ts';
import { namedModels, TicketModels, withModels } from '../domain/settings/models.ts';
import type { PassGates } from '../domain/settings/rows/planning.ts';
import {
  type BeadReview,
  type LimitsReceipt,
  ModelsReceipt,
  type PassGatesReceipt,
} from '../domain/workflow/receipts.ts';
import { lowBudget, type Ticket } from '../domain/ticket/ticket.ts';
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

/** Throws EDIT_CONFLICT, INVALID_INPUT. */
const limitsReceipt: ChangesBuilder<'limits'> = (ports, ticket, body) => {
  const before = limitsOf(ticket);
  if (!before || limitsHash(before) !== body.baseSha256)
    throw new BeadsmithError('EDIT_CONFLICT', { artifact: `The limits of ${ticket.id}` });
  const low = lowBudget(ticket, body.limits);
  if (low) throw invalidInput('The limit', lowBudgetText(low.used));
  return limitsChanged(ports, ticket, before, body);
};

function lowBudgetText(used: number): string {
  return `${String(Math.ceil(used))} are used already. Give more, or 0 for no limit.`;
}

/** An open run keeps its own limits, so that it replays unchanged. */
function limitsChanged(
  { clock }: Pick<Ports, 'clock'>,
  { settings }: Ticket,
  before: TicketLimits,
  change: Pick<InboxBody<'limits'>, 'limits' | 'reason'>,
): readonly Change[] {
  const after = withChange(before, change.limits);
  const { tokenBudget, ...limits } = after;
  const receipt: LimitsReceipt = {
    schema_version: 1,
    before,
    after,
    reason: change.reason,
    changed_by: 'user',
    changed_at: new Date(clock.now()).toISOString(),
  };
  return [
    { type: 'ticket', set: { limits, ...(settings && { settings: { ...settings, tokenBudget } }) } },
    artifactChange(inDraft, 'limits_receipt', receipt),
  ];
}

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

/** Throws INVALID_INPUT if there is none, EDIT_CONFLICT, INVALID_ARTIFACT. */
const editedDocument: ChangesBuilder<'edit_document'> = async (ports, ticket, edit) => {
  const document = documents[edit.artifact];
  const { ungated, subject, format } = document;
  const present = ungated.text((await ports.store.artifact(ticket.id, ungated.artifact))?.content, ticket);
  if (present === undefined) throw invalidInput(subject, `${ticket.id} has none`);
  if (sha256(present) !== edit.baseSha256) throw new BeadsmithError('EDIT_CONFLICT', { artifact: subject });
  const read = readText(format, edit.content);
  if (!read.ok) throw invalid(document, read.error);
  return documentTakers[edit.artifact](ports, ticket, { value: read.value, present, reason: edit.reason });
};

type DocumentTaker = (
  ports: Pick<Ports, 'store' | 'clock'>,
  ticket: Ticket,
  edit: { readonly value: unknown; readonly present: string; readonly reason: string },
) => Promise<readonly Change[]> | readonly Change[];

const documentTakers: { readonly [K in UngatedKind]: DocumentTaker } = {
  ticket_limits: (ports, ticket, { value, reason }) => {
    const before = limitsOf(ticket);
    const written = validValue(ticketLimitsDocument, value);
    const limits = before ? changedLimits(before, written) : {};
    const low = lowBudget(ticket, limits);
    if (low) throw invalid(ticketLimitsDocument, `- ${low.name}: ${lowBudgetText(low.used)}`);
    if (!before || Object.keys(limits).length === 0) return [];
    return limitsChanged(ports, ticket, before, { limits, reason });
  },
  prompt_rules: async ({ store }, { id }, { value }) => {
    const { rules } = validValue(promptRulesDocument, value);
    const beads = await store.beads(id);
    const problems = rules.flatMap((rule, index) => {
      const refused = refusedRule(rule, beads);
      return refused ? [`- rules[${String(index)}].${refused.at}: ${refused.reason}`] : [];
    });
    if (problems.length > 0) throw invalid(promptRulesDocument, problems.join('\n'));
    return [filed({ ...(await choicesOf({ store }, id)), rules })];
  },
  /** Later calls get it (docs/decisions/139-retrospective-and-handoff.md). An empty text removes it. */
  received_handoff: (_ports, ticket, { value, present }) => {
    const { kind, format } = receivedHandoffDocument;
    const stored = readText(format, present);
    const before = ReceivedHandoff.parse(stored.ok ? stored.value : undefined);
    const after = validValue(receivedHandoffDocument, value ?? { ...before, ...emptyHandoff });
    const problem =
      wrongTicket(after, ticket.id) ??
      (after.from === before.from ? undefined : `from must be ${before.from}.`);
    if (problem !== undefined) throw invalid(receivedHandoffDocument, problem);
    return [artifactChange(inDraft, kind, writeText(format, after))];
  },
};

function validValue<T>(
  document: Pick<Document<T>, 'subject'> & { readonly schema: z.ZodType<T> },
  value: unknown,
): T {
  const read = checked(document.schema, value);
  if (read.ok) return read.value;
  throw invalid(document, read.error);
}

function invalid({ subject }: Pick<Document<unknown>, 'subject'>, reason: string): BeadsmithError {
  return new BeadsmithError('INVALID_ARTIFACT', { artifact: subject, reason });
}

/** Throws INVALID_INPUT. */
const promptRule: ChangesBuilder<'prompt_rule'> = async (ports, { id }, { part, rule, bead }) => {
  const refused = refusedRule({ part, rule, bead }, await ports.store.beads(id));
  if (refused?.at === 'bead') throw invalidInput(`The bead "${bead ?? ''}"`, refused.reason);
  if (refused) throw invalidInput(`The part "${part}"`, refused.reason);
  const choices = await choicesOf(ports, id);
  return [filed(withRule(choices, { part, rule: rule === 'none' ? null : rule, bead }))];
};

/** For a part that there isn't or that has to be sent, and for an unknown bead. */
function refusedRule({ part, rule, bead }: InboxBody<'prompt_rule'>, beads: readonly Pick<Bead, 'id'>[]) {
  if (!partRow(part)) return { at: 'part', reason: 'no prompt has a part of that name' };
  if (rule === 'exclude' && !mayLeaveOut(part))
    return { at: 'rule', reason: 'a prompt makes no sense without it' };
  if (bead === null || beads.some(({ id }) => id === bead)) return undefined;
  return { at: 'bead', reason: 'the ticket has no bead with that id' };
}

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
  edit_handoff: (ports, ticket, body) =>
    editedDocument(ports, ticket, { ...body, artifact: receivedHandoffDocument.kind, reason: '' }),
  edit_document: editedDocument,
};

export const moveBuilders: ActionChanges['moves'] = { plan_in_full: planInFull };
