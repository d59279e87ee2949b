import { randomUUID } from 'node:crypto';
import { GitAdapter } from '../../adapters/git/gitAdapter.ts';
import { openWorkerStore } from '../../adapters/store/workerStore.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import { isTerminal } from '../../domain/workflow/workflow.ts';
import type { Store } from '../../engine/ports/storePort.ts';
import type { Client } from '../../protocol/api.ts';
import type { App } from '../app.ts';
import { locations } from '../locations.ts';
import { teamPlace } from '../../adapters/store/postgres/teamPlace.ts';
import { PushedCommits } from '../tickets/pushedCommits.ts';
import { continueHere } from './continueHere.ts';

export interface MoveOptions {
  /** Of the repository, as its driver. Not started. */
  readonly app: App;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The team's database. */
  readonly url: string;
  /** The team's tickets of the repository, as a person uses them. */
  readonly team: Pick<Client, 'act'>;
  readonly ticket: string;
  readonly to: 'team' | 'here';
  readonly signal: AbortSignal;
}

/** Milliseconds after which a runner that isn't heard of has lost its tickets. */
const silentMs = 60_000;

/**
 * Hands a ticket over between this repository and its team, with its journal and its commits. It is paused
 * while it moves, so that a move that was interrupted can be repeated and nobody works on it twice. Throws
 * DRIVEN_ELSEWHERE, TICKET_CLAIMED, TICKET_BUSY, TICKET_TAKEN, PUSH_REFUSED, FORGE_UNREACHABLE.
 */
export async function moveTicket(options: MoveOptions): Promise<void> {
  const { app, env, url, team, ticket, to, signal } = options;
  if (app.mode !== 'driver') throw new BeadsmithError('MOVE_NEEDS_DRIVER', { ticket });
  const git = new GitAdapter({ folder: app.repository.root, environment: env });
  const { name, origin } = teamPlace(await git.remotes(), app.repository.root);
  const worker = await openWorkerStore(locations.teamWorker, {
    url,
    repository: name,
    runner: `move ${randomUUID()}`,
    origin,
    make: to === 'team',
  });
  try {
    const { store: here, clock, events } = app.ports;
    const [from, target] = to === 'team' ? [here, worker.store] : [worker.store, here];
    if (to === 'here' && !(await worker.claims.claim(ticket, silentMs)))
      throw new BeadsmithError('TICKET_CLAIMED', { ticket });
    const { now, wanted } = await worker.places.of(ticket);
    const refs = to === 'here' ? await git.ticketRefs(now) : undefined;
    const before = await known(from, ticket);
    // An earlier try may have come as far as this.
    const isThere = (await target.ticket(ticket)) !== undefined;
    if (isThere && (await beginning(from, ticket)) !== (await beginning(target, ticket)))
      throw new BeadsmithError('TICKET_TAKEN', { ticket });
    await pause(from, before, clock.now());
    if (to === 'team' && before.branch !== null) {
      const of = () => Promise.resolve({ now, wanted: isThere ? now : wanted });
      const settle = (id: string, url: string) => worker.places.settle(id, url);
      const refsAt = (url: string) => git.ticketRefs(url);
      await new PushedCommits({ store: here, places: { of, settle }, refs: refsAt, clock, events }).push(
        ticket,
      );
    }
    const moved = await from.takeOut(ticket);
    await target.putIn(moved);
    await from.removeMoved(moved);
    if (refs) await continueHere({ ports: app.ports, refs, signal }, ticket);
    if (works(before)) await (to === 'team' ? team : app.client).act(ticket, 'resume', {});
  } finally {
    await worker.claims.release(ticket).catch(() => undefined);
    await worker.store.close();
  }
}

async function known(store: Pick<Store, 'ticket'>, id: string): Promise<Ticket> {
  const ticket = await store.ticket(id);
  if (!ticket) throw new BeadsmithError('TICKET_UNKNOWN', { ticket: id });
  return ticket;
}

/** Tells a ticket from another one with its ID, whose commits must not be pushed over. */
async function beginning(store: Pick<Store, 'journal'>, ticket: string): Promise<string | undefined> {
  return (await store.journal(ticket))[0]?.hash;
}

/** False for a draft, and for a ticket that is held as it is. */
function works({ status, hold }: Ticket): boolean {
  return status !== 'DRAFT' && !isTerminal(status) && hold === null;
}

async function pause(store: Pick<Store, 'commit'>, ticket: Ticket, now: number): Promise<void> {
  if (!works(ticket)) return;
  const hold = { kind: 'paused', since: now, detail: '' } as const;
  await store.commit({ ticket: ticket.id, journal: [], changes: [{ type: 'ticket', set: { hold } }] });
}
