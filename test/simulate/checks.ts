import * as z from 'zod';
import { canonicalJson } from '../../src/base/json.ts';
import { ApprovalReceipt } from '../../src/domain/workflow/receipts.ts';
import type { Ticket } from '../../src/domain/ticket/ticket.ts';
import { isTerminal, rowOf, type Status } from '../../src/domain/workflow/workflow.ts';
import { rewindTarget } from '../../src/domain/documents/moves.ts';
import type { JournalRow, StepRow } from '../../src/engine/ports/storePort.ts';
import type { World } from './world/world.ts';

/**
 * What is wrong at a moment at which a process may have ended (docs/ARCHITECTURE.md §5), by database,
 * repository and model server alone.
 */
export function findings(world: World): readonly string[] {
  const found = [...world.problems, ...world.server.problems, ...world.repository.problems];
  for (const ticket of world.tickets()) {
    const journal = world.reader.calls.journal(ticket.id);
    found.push(
      ...chain(world, ticket),
      ...edges(ticket, journal),
      ...receipts(world, ticket, journal),
      ...inbox(world, ticket, journal),
      ...epochs(journal),
      ...approvals(world, ticket),
      ...beads(world, ticket),
      ...delivery(world, ticket, journal),
      ...usage(world, ticket),
      ...sessions(world, ticket),
    );
  }
  return found;
}

/** Each entry is hashed with the one before. */
function chain(world: World, { id }: Ticket): string[] {
  const verdict = world.reader.calls.verify(id);
  return verdict.ok ? [] : [`the journal of ${id} is broken at ${String(verdict.seq)}`];
}

/** The ticket went only where the table leads, and is where the journal says. */
function edges(ticket: Ticket, journal: readonly JournalRow[]): string[] {
  const found: string[] = [];
  let at: Status = 'DRAFT';
  let before: Status | null = null;
  for (const { seq, entry } of journal) {
    if (entry.kind !== 'status') continue;
    const { from, to, by } = entry;
    const place = `entry ${String(seq)}: ${from} → ${to} by ${by}`;
    if (from !== at) found.push(`${place}, and the ticket was in ${at}`);
    if (isTerminal(from)) found.push(`${place} left a status that is the end`);
    const row = rowOf(from);
    const action = new Map(Object.entries(row.actions)).get(by);
    const said: Status | 'self' | 'previous' | undefined =
      action?.to === 'asPrevious' ? targetFrom(before, by) : action?.to;
    const target: Status | null | undefined = said === 'self' ? from : said === 'previous' ? before : said;
    const rewinds =
      by === 'edit' &&
      ['interview', 'prd', 'beads', 'execution_setup_plan'].some(
        (kind) => rewindTarget({ status: from, previousStatus: before }, kind) === to,
      );
    const blocks = rowOf(to).role === 'blocked' && /^[A-Z][A-Z_]+$/.test(by);
    if (row.exits[by] !== to && target !== to && !rewinds && !blocks)
      found.push(`${place} is no edge of the table`);
    [before, at] = [from, to];
  }
  if (at !== ticket.status) found.push(`${ticket.id} is in ${ticket.status}, and its journal ends in ${at}`);
  return found;
}

function targetFrom(status: Status | null, action: string): Status | undefined {
  const to = status === null ? undefined : new Map(Object.entries(rowOf(status).actions)).get(action)?.to;
  if (to === 'self') return status ?? undefined;
  return to === 'previous' || to === 'asPrevious' ? undefined : to;
}

/**
 * A step has one receipt, after its intent; the steps table follows from the journal; a run that is over gets
 * nothing more.
 */
function receipts(world: World, { id }: Ticket, journal: readonly JournalRow[]): string[] {
  const found: string[] = [];
  const states = new Map<string, { state: StepRow['state']; result: unknown }>();
  const runs = new Map<string, { state: string; status: Status }>();
  for (const { seq, entry } of journal) {
    if (entry.kind === 'run.opened') {
      if (runs.has(entry.run.id)) found.push(`the run ${entry.run.id} was opened twice`);
      runs.set(entry.run.id, { state: 'open', status: entry.run.status });
      const others =
        entry.run.parent === null &&
        [...runs].filter(
          ([other, run]) =>
            other !== entry.run.id &&
            run.state === 'open' &&
            run.status === entry.run.status &&
            !other.includes(':'),
        );
      if (others && others.length > 0)
        found.push(`two runs of ${entry.run.status} are open at entry ${String(seq)}`);
    }
    if (entry.kind === 'run.closed') {
      const run = runs.get(entry.run);
      const open = [...states].filter(
        ([key, { state }]) => state === 'intent' && key.startsWith(`${entry.run} `),
      );
      if (entry.state === 'closed' && open.length > 0)
        found.push(`the run ${entry.run} came to its end, and ${String(open[0]?.[0])} has no receipt`);
      if (run?.state !== 'open')
        found.push(
          `the run ${entry.run} was closed at entry ${String(seq)}, and was ${run?.state ?? 'never opened'}`,
        );
      else run.state = entry.state;
    }
    if (
      entry.kind !== 'step.intent' &&
      entry.kind !== 'step.done' &&
      entry.kind !== 'step.failed' &&
      entry.kind !== 'step.note'
    )
      continue;
    const key = `${entry.run} ${entry.key}`;
    const run = runs.get(entry.run);
    const before = states.get(key);
    // A child's end is written with its parent's receipt.
    if (run?.state !== 'open')
      found.push(
        `${entry.kind} of ${key} at entry ${String(seq)}, whose run is ${run?.state ?? 'not there'}`,
      );
    if (entry.kind === 'step.intent') {
      if (before) found.push(`${key} has two intents`);
      states.set(key, { state: 'intent', result: undefined });
    } else if (entry.kind === 'step.done' || entry.kind === 'step.failed') {
      if (before && before.state !== 'intent') found.push(`${key} has two receipts`);
      states.set(
        key,
        entry.kind === 'step.done'
          ? { state: 'done', result: entry.result }
          : { state: 'failed', result: undefined },
      );
    }
  }
  for (const run of runs.keys()) {
    for (const step of world.reader.calls.steps(run)) {
      const journaled = states.get(`${run} ${step.key}`);
      states.delete(`${run} ${step.key}`);
      if (
        journaled?.state !== step.state ||
        canonicalJson(journaled.result ?? null) !== canonicalJson(step.result ?? null)
      )
        found.push(
          `the steps say of ${run} ${step.key}: ${step.state}, the journal: ${journaled?.state ?? 'nothing'}`,
        );
    }
  }
  for (const key of states.keys()) found.push(`${key} of ${id} is in the journal, and not among the steps`);
  return found;
}

/** What was acknowledged was taken once or still waits. */
function inbox(world: World, { id }: Ticket, journal: readonly JournalRow[]): string[] {
  const found: string[] = [];
  const entries = new Map(world.reader.calls.inbox(id).map((entry) => [entry.id, entry]));
  const taken = new Map<string, number>();
  for (const { entry } of journal)
    if (entry.kind === 'inbox') taken.set(entry.id, (taken.get(entry.id) ?? 0) + 1);
  for (const { id: post, ticket, kind } of world.acknowledged) {
    if (ticket !== id) continue;
    const entry = entries.get(post);
    if (!entry) found.push(`the decision ${post} (${kind}) was acknowledged, and is lost`);
  }
  for (const [post, entry] of entries) {
    const times = taken.get(post) ?? 0;
    if (times > 1) found.push(`the decision ${post} (${entry.kind}) was taken ${String(times)} times`);
    if ((entry.state === 'pending') !== (times === 0))
      found.push(
        `the decision ${post} (${entry.kind}) is ${entry.state}, and was taken ${String(times)} times`,
      );
  }
  return found;
}

/** An earlier driver never writes after a later one. */
function epochs(journal: readonly JournalRow[]): string[] {
  let newest = 0;
  const found: string[] = [];
  for (const { seq, epoch } of journal) {
    // Any process creates tickets, under the stored epoch.
    if (epoch < newest)
      found.push(
        `entry ${String(seq)} was written by driver ${String(epoch)} after driver ${String(newest)}`,
      );
    newest = Math.max(newest, epoch);
  }
  return found;
}

/** An approval is of bytes that were there. */
function approvals(world: World, { id }: Ticket): string[] {
  const artifacts = world.reader.calls.artifacts(id);
  const known = new Set(artifacts.map(({ type, sha256 }) => `${type} ${sha256}`));
  return artifacts
    .filter(({ type }) => type === 'approval_receipt')
    .map((info) => ApprovalReceipt.parse(JSON.parse(world.reader.calls.artifactContent(info.id) ?? '{}')))
    .filter(({ reason, content_sha256 }) => !known.has(`${reason} ${content_sha256}`))
    .map(({ reason }) => `an approval of ${reason} is of nothing that was there`);
}

/** No bead is worked on before what it waits for; the commit of a done one is on the branch. */
function beads(world: World, ticket: Ticket): string[] {
  const found: string[] = [];
  const all = world.reader.calls.beads(ticket.id);
  const done = new Set(all.filter(({ status }) => status === 'done').map(({ id }) => id));
  const tip = world.repository.refs.get(`refs/heads/${ticket.branch ?? ''}`);
  const committed = new Set(
    tip === undefined ? [] : world.repository.history(tip).map(({ trailers }) => trailers['Bead']),
  );
  for (const { id, status, dependencies } of all) {
    if (status === 'pending') continue;
    for (const other of dependencies.blocked_by)
      if (!done.has(other)) found.push(`${id} is ${status} before ${other}, which it waits for`);
    if (status === 'done' && !committed.has(id))
      found.push(`${id} is done, and no commit of the branch is its`);
  }
  return found;
}

/** Every commit was tested as a whole; the base moved only by a merge that a person asked for. */
function delivery(world: World, ticket: Ticket, journal: readonly JournalRow[]): string[] {
  const { repository } = world;
  const found: string[] = [];
  const tip = repository.refs.get(`refs/heads/${ticket.branch ?? ''}`);
  for (const { sha, tree } of tip === undefined ? [] : repository.history(tip))
    if (sha !== repository.root && !repository.tested.has(tree))
      found.push(`the commit ${sha.slice(0, 8)} of the branch was never tested`);
  const main = repository.refs.get('refs/heads/main') ?? '';
  const merged = journal.some(
    ({ entry }) => entry.kind === 'inbox' && entry.outcome === 'consumed' && entry.reason === 'merge',
  );
  if (main !== repository.root && !merged) found.push('the base branch moved, and nobody asked for a merge');
  if (main !== repository.root && ticket.status === 'COMPLETED' && main !== tip)
    found.push('what was merged is not what the branch ends in');
  return found;
}

const Booked = z.object({ messageId: z.string(), input: z.number() });

function usage(world: World, { id }: Ticket): string[] {
  const booked = world.reader.calls.usage(id).map((row) => Booked.parse(row).messageId);
  const found = booked
    .filter((message, place) => booked.indexOf(message) !== place)
    .map((message) => `${message} was booked twice`);
  for (const call of world.reader.calls.calls(id)) {
    const message = `msg_${call.session}_${call.id.split('#').at(-1) ?? ''}`;
    if (call.outcome === 'accepted' && !booked.includes(message))
      found.push(`the call ${call.id} was accepted, and its tokens are not counted`);
  }
  return found;
}

function sessions(world: World, { id }: Ticket): string[] {
  const active = world.reader.calls
    .sessions(id)
    .filter(({ state, bead }) => state === 'active' && bead !== null);
  const keys = active.map(
    ({ run, step, bead, iteration }) => `${run} ${step} ${bead ?? ''} ${String(iteration)}`,
  );
  return keys
    .filter((key, place) => keys.indexOf(key) !== place)
    .map((key) => `${key} has two sessions at work`);
}
