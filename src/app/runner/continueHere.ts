import { ticketRef } from '../../domain/core/ids.ts';
import type { TicketRefs } from '../../adapters/git/mirror/ticketRefs.ts';
import { succeeds } from '../../adapters/system/files.ts';
import { BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import { Limits } from '../../domain/settings/settings.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { isTerminal, rowOf } from '../../domain/workflow/workflow.ts';
import { runStatus } from '../../domain/documents/moves.ts';
import type { Band } from '../../domain/workflow/rows.ts';
import { blockTransition } from '../../engine/journal/transition.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { JournalEntry } from '../../engine/ports/storePort.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { tell, tellBlocked, tellHold } from '../../engine/run/tell.ts';
import { prepareMade } from '../../phases/shared/worktree/bootstrap.ts';

interface Place {
  readonly ports: Ports;
  readonly refs: Pick<TicketRefs, 'take' | 'takePlace' | 'start' | 'keepStray' | 'setBranch'>;
  readonly signal: AbortSignal;
  /** The team wants the commits elsewhere from now on. */
  readonly isLeft?: boolean;
}

/**
 * Brings a claimed ticket to the state that its last runner pushed: branch, worktree and installed
 * dependencies (docs/decisions/220-a-ticket-continues-elsewhere.md). Changes nothing where this clone had it
 * last. Blocks a ticket at work where the remote refuses this clone. Throws FORGE_UNREACHABLE while the
 * remote isn't there, PUSH_REFUSED, and what `addWorktree` throws.
 */
export async function continueHere(place: Place, id: string): Promise<void> {
  const { ports, refs } = place;
  const { git, files } = ports;
  const ticket = await ports.store.ticket(id);
  if (!ticket || isTerminal(ticket.status)) return;
  const { branch, worktree, baseCommit } = ticket;
  if (branch === null || worktree === null || baseCommit === null) return;
  const taken = await refs.take(id, place.isLeft).catch(async (thrown: unknown) => {
    const error = toBeadsmithError(thrown);
    if (error.code === 'PUSH_REFUSED') await block(place, id, error);
    else tellHold(ports, id, 'offline', error.message);
    throw error;
  });
  // It never came from another machine.
  if (!taken) return;
  const path = await git.worktreePath(id);
  const isThere = (await succeeds(git.head(path))) && (await files.exists(path, '.ticket/.gitignore'));
  if (isThere && !taken.isElsewhere) return moveTo(place, ticket, path);
  await followBranch(place, { id, branch, tip: taken.tip, path, isThere });
  const commit = (await refs.start(id)) ?? baseCommit;
  const made = isThere ? { path } : await git.addWorktree({ ticket: id, branch, commit, setAside: true });
  await moveTo(place, ticket, made.path, await unfinished(place, ticket));
  tell({ ports, ticket: id }, `${branch} continues on this machine, in ${made.path}.`);
  await prepare(place, { ...ticket, worktree: made.path });
  await refs.takePlace(id, taken.tip);
}

async function moveTo(
  { ports: { store } }: Place,
  { id, worktree }: Ticket,
  path: string,
  journal: readonly JournalEntry[] = [],
): Promise<void> {
  if (path === worktree && journal.length === 0) return;
  await store.commit({ ticket: id, journal, changes: [{ type: 'ticket', set: { worktree: path } }] });
}

const implementing: readonly Band[] = ['pre_implementation', 'implementation', 'post_implementation'];

/**
 * Ends a run that relies on files which nobody committed: its status is entered again, as under another
 * version of its handler.
 */
async function unfinished({ ports: { store } }: Place, ticket: Ticket): Promise<readonly JournalEntry[]> {
  const status = runStatus(ticket);
  const { kind, band } = rowOf(status);
  const open = await store.openRun(ticket.id, status);
  if (!open || kind !== 'auto' || !implementing.includes(band)) return [];
  const children = (await store.runs(ticket.id)).filter(
    ({ parent, state }) => parent === open.id && state === 'open',
  );
  return [...children, open].map(({ id }) => ({
    kind: 'run.closed',
    run: id,
    state: 'superseded',
    exit: null,
  }));
}

interface Branch {
  readonly id: string;
  readonly branch: string;
  readonly tip: string;
  readonly path: string;
  readonly isThere: boolean;
}

/** Keeps what this clone had of it out of the way. */
async function followBranch({ ports: { git }, refs }: Place, work: Branch): Promise<void> {
  const { id, branch, tip, path, isThere } = work;
  const own = await git.resolve(`refs/heads/${branch}`);
  if (own !== undefined && !(await git.isAncestor(own, tip))) await refs.keepStray(id, own);
  if (!isThere) return refs.setBranch(id, tip);
  if ((await git.status(path)).length > 0)
    await git.keep(path, ticketRef(id, 'worktree/left'), `${id}: what this machine had`);
  await git.resetHard(path, tip);
}

/** At a gate a failure only shows when commands run. */
async function prepare(place: Place, ticket: Ticket): Promise<void> {
  const { ports } = place;
  const { store } = ports;
  const snapshot = { ...ticket, attempt: 1, artifacts: await store.snapshotParts(ticket.id) };
  try {
    await prepareMade(outsideOfSteps(place, ticket.id), snapshot, ticket.limits ?? Limits.parse({}));
  } catch (thrown) {
    const error = toBeadsmithError(thrown);
    if (error.code !== 'SETUP_FAILED') throw error;
    tell({ ports, ticket: ticket.id }, error.message);
    await block(place, ticket.id, error);
  }
}

/** A paused one may be about to move. */
async function block({ ports }: Place, id: string, error: BeadsmithError): Promise<void> {
  const now = await ports.store.ticket(id);
  if (!now || rowOf(now.status).kind !== 'auto' || now.hold?.kind === 'paused') return;
  await ports.store.commit(blockTransition(now, error));
  tellBlocked(ports, id, error);
}

/** It may be repeated at any time, so that nothing of it is journaled. */
function outsideOfSteps({ ports, signal }: Place, ticket: string): StepIo {
  const never = (): Promise<never> =>
    Promise.reject(new BeadsmithError('UNEXPECTED', { reason: 'nobody is asked here' }));
  return {
    key: `${ticket}/continue-here`,
    ticket,
    signal,
    aborted: () => (signal.aborted ? 'stop' : undefined),
    resume: 'first',
    earlier: [],
    note: () => Promise.resolve(),
    save: () => undefined,
    ask: never,
    hold: never,
    fence: async () => {
      await ports.store.commit({ ticket, journal: [], changes: [] });
    },
    ports,
  };
}
