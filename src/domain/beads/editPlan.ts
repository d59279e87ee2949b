import type { Settled } from '../../base/result.ts';
import { isBeadId } from '../core/ids.ts';
import { type Bead, freshRun } from './bead.ts';
import { withInverseEdges, getNextBead } from './beadPlan.ts';

/** A refused plan change. A `circle` starts and ends with the same bead. */
export type PlanRefusal =
  | { readonly kind: 'circle'; readonly path: readonly string[] }
  | { readonly kind: 'self' | 'unknown' | 'known' | 'badId' | 'taken' | 'last'; readonly bead: string };

type Changed = Settled<readonly Bead[], PlanRefusal>;

/** The indexes that move to the new bead of a split; both keep all commands and files. */
export interface SplitPart {
  readonly id: string;
  readonly title: string;
  readonly acceptanceCriteria: readonly number[];
  readonly tests: readonly number[];
}

/** Beads by priority, equal ones in list order. */
export function byPriority(beads: readonly Bead[]): readonly Bead[] {
  return beads.toSorted((a, b) => a.priority - b.priority);
}

/** Ids in the order of coding, without beads in cycles, which never start. */
export function workOrder(beads: readonly Bead[]): readonly string[] {
  const left = beads.map((bead): Bead => ({ ...bead, status: 'pending' }));
  const order: string[] = [];
  for (let next = getNextBead(left); next; next = getNextBead(left)) {
    next.status = 'done';
    order.push(next.id);
  }
  return order;
}

/** Adds a dependency, unless it closes a cycle. */
export function addBlocker(beads: readonly Bead[], id: string, blocker: string): Changed {
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) return refused('unknown', id);
  if (!beads.some((candidate) => candidate.id === blocker)) return refused('unknown', blocker);
  if (id === blocker) return refused('self', id);
  if (bead.dependencies.blocked_by.includes(blocker)) return refused('known', blocker);
  const back = wayTo(beads, blocker, id);
  if (back) return { ok: false, error: { kind: 'circle', path: [id, ...back] } };
  return { ok: true, value: withBlockers(beads, id, [...bead.dependencies.blocked_by, blocker]) };
}

/** Removes a dependency. */
export function removeBlocker(beads: readonly Bead[], id: string, blocker: string): readonly Bead[] {
  const blockers = beads.find((bead) => bead.id === id)?.dependencies.blocked_by ?? [];
  return withBlockers(
    beads,
    id,
    blockers.filter((other) => other !== blocker),
  );
}

/** Moves a bead up (negative) or down, and renumbers priorities from 1. */
export function moveBead(beads: readonly Bead[], id: string, by: number): readonly Bead[] {
  const order = [...byPriority(beads)];
  const from = order.findIndex((bead) => bead.id === id);
  const [bead] = from < 0 ? [] : order.splice(from, 1);
  if (bead) order.splice(Math.max(0, Math.min(order.length, from + by)), 0, bead);
  return numbered(order);
}

/** Splits a bead. The new one waits for it, and its waiters for the new one. */
export function splitBead(beads: readonly Bead[], id: string, part: SplitPart): Changed {
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) return refused('unknown', id);
  if (!isBeadId(part.id)) return refused('badId', part.id);
  if (beads.some((candidate) => candidate.id === part.id)) return refused('taken', part.id);
  const first: Bead = {
    ...bead,
    acceptanceCriteria: bead.acceptanceCriteria.filter(
      (_, place) => !part.acceptanceCriteria.includes(place),
    ),
    tests: bead.tests.filter((_, place) => !part.tests.includes(place)),
  };
  const second: Bead = {
    ...bead,
    id: part.id,
    title: part.title,
    acceptanceCriteria: bead.acceptanceCriteria.filter((_, place) => part.acceptanceCriteria.includes(place)),
    tests: bead.tests.filter((_, place) => part.tests.includes(place)),
    dependencies: { blocked_by: [id], blocks: [] },
    ...freshRun,
  };
  const order = byPriority(beads).flatMap((other) =>
    other.id === id ? [first, second] : [waitingFor(other, id, [part.id])],
  );
  return { ok: true, value: withInverseEdges(numbered(order)) };
}

/** Removes a bead. Its waiters wait for its dependencies. */
export function removeBead(beads: readonly Bead[], id: string): Changed {
  const bead = beads.find((candidate) => candidate.id === id);
  if (!bead) return refused('unknown', id);
  if (beads.length === 1) return refused('last', id);
  const rest = byPriority(beads).filter((other) => other.id !== id);
  return {
    ok: true,
    value: withInverseEdges(
      numbered(rest.map((other) => waitingFor(other, id, bead.dependencies.blocked_by))),
    ),
  };
}

/** An unused id for the second part. */
export function partId(beads: readonly Bead[], id: string): string {
  for (let number = 2; ; number++) {
    const end = `-${String(number)}`;
    const candidate = `${id.slice(0, 80 - end.length).replace(/-+$/, '')}${end}`;
    if (!beads.some((bead) => bead.id === candidate)) return candidate;
  }
}

function wayTo(beads: readonly Bead[], from: string, to: string): readonly string[] | undefined {
  const blockers = new Map(beads.map((bead) => [bead.id, bead.dependencies.blocked_by]));
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  const next = [from];
  for (let id = next.shift(); id !== undefined; id = next.shift()) {
    if (id === to) return trail(cameFrom, to);
    for (const blocker of blockers.get(id) ?? []) {
      if (cameFrom.has(blocker)) continue;
      cameFrom.set(blocker, id);
      next.push(blocker);
    }
  }
  return undefined;
}

function trail(cameFrom: ReadonlyMap<string, string | undefined>, end: string): readonly string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}

function withBlockers(beads: readonly Bead[], id: string, blockers: readonly string[]): readonly Bead[] {
  return withInverseEdges(
    beads.map((bead) =>
      bead.id === id ? { ...bead, dependencies: { ...bead.dependencies, blocked_by: [...blockers] } } : bead,
    ),
  );
}

function waitingFor(bead: Bead, former: string, instead: readonly string[]): Bead {
  const { blocked_by } = bead.dependencies;
  if (!blocked_by.includes(former)) return bead;
  const blockers = [...new Set(blocked_by.flatMap((id) => (id === former ? instead : [id])))];
  return { ...bead, dependencies: { ...bead.dependencies, blocked_by: blockers } };
}

function numbered(beads: readonly Bead[]): readonly Bead[] {
  return beads.map((bead, place) => ({ ...bead, priority: place + 1 }));
}

function refused(
  kind: Exclude<PlanRefusal['kind'], 'circle'>,
  bead: string,
): { readonly ok: false; readonly error: PlanRefusal } {
  return { ok: false, error: { kind, bead } };
}
