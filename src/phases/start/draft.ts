import * as z from 'zod';
import { checked } from '../../domain/documents/base/check.ts';
import { readText } from '../../domain/documents/base/text.ts';
import { inboxBodies, type InboxEntry, type InboxBody } from '../../domain/ticket/inbox.ts';
import { DraftEdit, type TicketSnapshot, ticketTextHash, Ticket } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, RecordIo, StepIo } from '../../engine/run/run.ts';
import { refuseEntry } from '../shared/ticket/receipts.ts';
import { recordTip } from '../shared/worktree/branchTip.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { ticketBranch } from '../../domain/core/ids.ts';
import { partiesOf, type Persona, personasFor } from '../../domain/personas/persona.ts';
import { completeSettings, reviewerOf, type Settings } from '../../domain/settings/settings.ts';
import { checkModels } from '../shared/knownModels.ts';
import { artifactChange, yamlText } from '../shared/ticket/artifacts.ts';
import { loadPersonas } from '../shared/panel/loadPersonas.ts';
import { HandoffReport, handoffDocument } from '../../domain/documents/handoffReport.ts';
import { type ReceivedHandoff, receivedHandoffDocument } from '../../domain/documents/receivedHandoff.ts';
import { entriesIn, evidenceOf, keepFound, withinTokens } from '../../domain/handoff/handoff.ts';
import { sectionRow } from '../../context/sections.ts';
import { tell } from '../../engine/run/tell.ts';

/** The key of the step that starts a ticket. */
export const startKey = 'start';

/** DRAFT: title, description and priority can be edited until the ticket starts. A loop isn't planned. */
export const draft: HandlerDefinition<'start' | 'loop'> = {
  version: 1,
  run: async (run, ticket) => {
    for (let turn = 1; ; turn++) {
      const entry = await run.wait(`decision-${turn}`, ['start', 'edit']);
      if (entry === 'expired') continue;
      if (entry.kind === 'start') {
        const body = inboxBodies.start.parse(entry.body);
        const patch = await run.step(startKey, Started, (io) => startTicket(io, ticket, body));
        return { exit: patch.settings?.depth === 'loop' ? 'loop' : 'start', patch };
      }
      await run.record(`edit-${turn}`, z.null(), async (io) => {
        await edit(io, ticket, entry);
        return null;
      });
    }
  },
};

async function edit(io: RecordIo, ticket: TicketSnapshot, entry: InboxEntry): Promise<void> {
  const body = inboxBodies.edit.parse(entry.body);
  if (body.artifact !== 'ticket') {
    const reason = 'the ticket was not started yet';
    refuseEntry(io, entry, 'INVALID_INPUT', { what: `An edit of ${body.artifact}`, reason });
    return;
  }
  const present = await io.ports.store.ticket(ticket.id);
  if (present && body.baseSha256 !== null && body.baseSha256 !== ticketTextHash(present)) {
    refuseEntry(io, entry, 'EDIT_CONFLICT', { artifact: 'The ticket' });
    return;
  }
  const read = readText('yaml', body.content);
  const edited = read.ok ? checked(DraftEdit, read.value) : read;
  if (!edited.ok) {
    refuseEntry(io, entry, 'INVALID_ARTIFACT', { artifact: 'The ticket', reason: edited.error });
    return;
  }
  const { title, description, priority } = edited.value;
  // The snapshot may be older than an earlier edit.
  const kept = priority === undefined ? {} : { priority };
  io.save({ type: 'ticket', set: { title, description, ...kept } });
}

/** The fields that freeze when a ticket starts. */
const Started = Ticket.pick({
  settings: true,
  limits: true,
  baseBranch: true,
  baseCommit: true,
  branch: true,
  worktree: true,
  startedAt: true,
});
type Started = z.infer<typeof Started>;

/**
 * Creates the ticket's branch and worktree; takes over what exists. The user's checkout never changes. Throws
 * NO_COMMITS, MODEL_UNKNOWN, PERSONA_REFUSED, BASE_BRANCH_MISSING, BASE_BRANCH_OPEN, BRANCH_EXISTS,
 * WORKTREE_EXISTS, WORKTREE_FAILED.
 */
async function startTicket(io: StepIo, ticket: TicketSnapshot, start: InboxBody<'start'>): Promise<Started> {
  const { git, clock } = io.ports;
  const settings = completeSettings(start.settings);
  const base = await baseOf(io, start.baseBranch);
  // Tokenizer and versions of programs take a moment to load, and this waits for OpenCode to start.
  void io.ports.workplace.facts().catch(() => undefined);
  const worktree = await git.worktreePath(ticket.id);
  const speakers = await personasOf(io, settings);
  await Promise.all([
    checkModels(io.ports, worktree, modelsAtStart(settings, speakers)),
    io.ports.tokens.count(ticket.title),
  ]);
  await io.fence();
  const branch = ticketBranch(ticket.id);
  const { path } = await git.addWorktree({ ticket: ticket.id, branch, commit: base.commit });
  await recordTip(io, { commit: base.commit, by: 'worktree' });
  if (start.loop) io.save(artifactChange(ticket, 'loop_request', start.loop));
  await receiveHandoff(io, ticket, { choice: start.handoff, commit: base.commit });
  return {
    settings,
    limits: start.limits,
    baseBranch: base.branch,
    baseCommit: base.commit,
    branch,
    worktree: path,
    startedAt: clock.now(),
  };
}

/** A local branch takes precedence over the remote one, because it is what the user sees. */
async function baseOf(
  io: StepIo,
  wanted: string | undefined,
): Promise<{ readonly branch: string; readonly commit: string }> {
  const { git } = io.ports;
  const name = wanted ?? (await git.defaultBranch());
  const base = name === undefined ? undefined : await git.base(name);
  if (base) return base;
  const { hasCommits, root } = await git.repository();
  if (!hasCommits) throw new BeadsmithError('NO_COMMITS', { path: root });
  const branches = (await git.branches()).slice(0, 20).join(', ') || '(none)';
  throw name === undefined
    ? new BeadsmithError('BASE_BRANCH_OPEN', { branches })
    : new BeadsmithError('BASE_BRANCH_MISSING', { branch: name, branches });
}

/** Throws PERSONA_REFUSED for one that is missing or can't be used. */
async function personasOf(io: StepIo, settings: Settings): Promise<readonly Persona[]> {
  const ids = new Set(partiesOf(settings).flatMap((kind) => personasFor(settings, kind)));
  return ids.size === 0 ? [] : loadPersonas(io.ports.prompts, [...ids]);
}

function modelsAtStart(settings: Settings, personas: readonly Persona[]): ReadonlySet<string> {
  const { mainImplementer, secondImplementer, councilMembers, review } = settings;
  const spoken = settings.partyMode === 'solo' ? [] : personas.map(({ model = '' }) => model);
  const others = [...spoken, secondImplementer, ...(review === 'off' ? [] : [reviewerOf(settings)])];
  return new Set([mainImplementer, ...councilMembers, ...others].filter((model) => model !== ''));
}

/**
 * Copies the chosen handoff into the ticket (docs/decisions/139-retrospective-and-handoff.md), without what
 * names only files that the base lacks, or is too much for prompts.
 */
export async function receiveHandoff(
  io: StepIo,
  ticket: TicketSnapshot,
  { choice, commit }: { readonly choice: InboxBody<'start'>['handoff']; readonly commit: string },
): Promise<void> {
  if (choice === undefined) return;
  const found = await chosen(io, ticket, choice);
  if (!found) {
    const who = choice === 'latest' ? 'No completed ticket has left a' : `${choice} has left no`;
    tell(io, `${who} handoff.`);
    return;
  }
  const { from, handoff } = found;
  const named = evidenceOf(handoff);
  const present = named.length === 0 ? [] : await io.ports.git.regularFiles(commit, named);
  const there = keepFound(handoff, present);
  const cap = sectionRow('ticket_handoff').cap;
  const fitting = await withinTokens(there.lists, { cap, count: (text) => io.ports.tokens.count(text) });
  const dropped = [...there.dropped, ...fitting.dropped];
  const received: ReceivedHandoff = {
    schema_version: 1,
    ticket_id: ticket.id,
    artifact: receivedHandoffDocument.kind,
    from,
    ...fitting.lists,
    dropped,
  };
  io.save(artifactChange(ticket, receivedHandoffDocument.kind, yamlText(received)));
  const left = dropped.length === 0 ? '' : ` ${String(dropped.length)} left out: ${dropped.join(' ')}`;
  tell(io, `Handoff of ${from}: ${String(entriesIn(fitting.lists))} entries.${left}`);
}

async function chosen(
  io: StepIo,
  ticket: TicketSnapshot,
  choice: NonNullable<InboxBody<'start'>['handoff']>,
): Promise<{ readonly from: string; readonly handoff: HandoffReport } | undefined> {
  const latest = (await io.ports.store.completed()).filter((id) => id !== ticket.id);
  for (const id of choice === 'latest' ? latest : latest.filter((one) => one === choice)) {
    const stored = await io.ports.store.artifact(id, handoffDocument.kind);
    const read = stored && readText(handoffDocument.format, stored.content);
    const handoff = read?.ok === true ? HandoffReport.safeParse(read.value).data : undefined;
    if (handoff) return { from: id, handoff };
  }
  return undefined;
}
