import type { TicketRefs } from '../../adapters/git/mirror/ticketRefs.ts';
import { succeeds } from '../../adapters/system/files.ts';
import { BeadsmithError, toBeadsmithError } from '../../domain/core/errors.ts';
import { Limits } from '../../domain/settings/settings.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { isTerminal, rowOf } from '../../domain/workflow/workflow.ts';
import { blockTransition } from '../../engine/journal/transition.ts';
import type { Ports } from '../../engine/ports/ports.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { tell, tellBlocked } from '../../engine/run/tell.ts';
import { prepareMade } from '../../phases/shared/worktree/bootstrap.ts';

interface Place {
  readonly ports: Ports;
  readonly refs: Pick<TicketRefs, 'take' | 'start' | 'keepStray' | 'setBranch'>;
  readonly signal: AbortSignal;
}

/**
 * Brings a claimed ticket to the state that its last runner pushed: branch, worktree and installed
 * dependencies (docs/decisions/220-a-ticket-continues-elsewhere.md). Changes nothing where this runner drove
 * last. Throws FORGE_UNREACHABLE and PUSH_REFUSED while the remote isn't there, and what `addWorktree` throws.
 */
export async function continueHere(place: Place, id: string): Promise<void> {
  const { store, git, files } = place.ports;
  const ticket = await store.ticket(id);
  if (!ticket || isTerminal(ticket.status)) return;
  const { branch, worktree, baseCommit } = ticket;
  if (branch === null || worktree === null || baseCommit === null) return;
  const tip = await place.refs.take(id);
  // It never came from another machine.
  if (tip === undefined) return;
  const path = await git.worktreePath(id);
  const isHere = (await succeeds(git.head(path))) && (await files.exists(path, '.ticket/.gitignore'));
  await followBranch(place, { id, branch, tip, path, isHere });
  const commit = (await place.refs.start(id)) ?? baseCommit;
  const made = isHere ? { path } : await git.addWorktree({ ticket: id, branch, commit, setAside: true });
  if (made.path !== worktree)
    await store.commit({
      ticket: id,
      journal: [],
      changes: [{ type: 'ticket', set: { worktree: made.path } }],
    });
  if (isHere) return;
  tell({ ports: place.ports, ticket: id }, `${branch} continues on this machine, in ${made.path}.`);
  await prepare(place, { ...ticket, worktree: made.path });
}

interface Branch {
  readonly id: string;
  readonly branch: string;
  readonly tip: string;
  readonly path: string;
  readonly isHere: boolean;
}

/** A branch that is ahead has a commit whose receipt is missing: the drive settles that, as after a crash. */
async function followBranch({ ports: { git }, refs }: Place, work: Branch): Promise<void> {
  const { id, branch, tip, path, isHere } = work;
  const own = await git.resolve(`refs/heads/${branch}`);
  if (own !== undefined && (await git.isAncestor(tip, own))) return;
  if (own !== undefined && !(await git.isAncestor(own, tip))) await refs.keepStray(id, own);
  if (!isHere) return refs.setBranch(id, tip);
  if ((await git.status(path)).length > 0)
    await git.keep(path, `refs/beadsmith/${id}/worktree/left`, `${id}: what this machine had`);
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
    const now = await store.ticket(ticket.id);
    if (!now || rowOf(now.status).kind !== 'auto') return;
    await store.commit(blockTransition(now, error));
    tellBlocked(ports, ticket.id, error);
  }
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
