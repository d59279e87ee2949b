import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { repeated } from '../documents/base/check.ts';
import { listed } from '../requirements/criteria.ts';
import { type Bead, beadRuntimeFields, isSettled } from './bead.ts';

/** The SHA-256 of a plan's planning fields (docs/decisions/013-approvals-by-hash.md). */
export function planHash(beads: readonly Bead[]): string {
  return sha256(canonicalJson(beads.map(planningFields)));
}

/** A plan as JSON lines. */
export function beadLines(beads: readonly Bead[]): string {
  return beads.map((bead) => `${JSON.stringify(bead)}\n`).join('');
}

/** Planning fields as JSON lines, which `planHash` covers. */
export function planLines(beads: readonly Bead[]): string {
  return beads.map((bead) => `${JSON.stringify(planningFields(bead))}\n`).join('');
}

/** Errors of a plan's graph, as sentences (docs/decisions/025-bead-plan.md). */
export function graphErrors(beads: readonly Bead[]): readonly string[] {
  const places = new Map(beads.map((bead, place) => [bead.id, place]));
  const errors: string[] = [];
  if (places.size !== beads.length)
    errors.push(`Bead ids must be unique: ${repeated(beads.map((bead) => bead.id)).join(', ')} repeated.`);
  let inOrder = true;
  let unmatched = 0;
  let isTold = false;
  for (const [place, { id: bead, dependencies }] of beads.entries()) {
    const { blocked_by, blocks } = dependencies;
    unmatched += blocks.length - (blocked_by.length < 2 ? blocked_by.length : new Set(blocked_by).size);
    for (const id of blocked_by) {
      const otherPlace = places.get(id) ?? -1;
      const other = beads[otherPlace];
      if (otherPlace >= place) inOrder = false;
      if (id === bead) errors.push(`${bead} is blocked by itself.`);
      else if (!other) {
        errors.push(
          `${bead} is blocked by ${id}, which doesn't exist.${isTold ? '' : ` The beads are ${listed([...places.keys()])}.`}`,
        );
        isTold = true;
      } else if (!other.dependencies.blocks.includes(bead))
        errors.push(`${bead} is blocked by ${id}, but ${id} doesn't list it in "blocks".`);
    }
  }
  // Every edge so far is named on both sides.
  if (errors.length > 0 || unmatched !== 0) errors.push(...unansweredBlocks(beads, places));
  // Beads that only wait for beads above them can't form a cycle.
  const cycle = inOrder ? undefined : findCycle(new Map(beads.map((bead) => [bead.id, bead])));
  if (cycle) errors.push(`The dependencies go in a circle: ${cycle.join(' → ')}.`);
  return errors;
}

function unansweredBlocks(beads: readonly Bead[], places: ReadonlyMap<string, number>): string[] {
  return beads.flatMap(({ id: bead, dependencies }) =>
    dependencies.blocks
      .filter((id) => !beads[places.get(id) ?? -1]?.dependencies.blocked_by.includes(bead))
      .map((id) => `${bead} blocks ${id}, but ${id} isn't blocked by it.`),
  );
}

/** Derives `blocks` from `blocked_by` (docs/decisions/025-bead-plan.md). */
export function withInverseEdges(beads: readonly Bead[]): Bead[] {
  const blocks = new Map<string, string[]>();
  for (const bead of beads)
    for (const id of bead.dependencies.blocked_by) blocks.set(id, [...(blocks.get(id) ?? []), bead.id]);
  return beads.map((bead) => ({
    ...bead,
    dependencies: { blocked_by: bead.dependencies.blocked_by, blocks: blocks.get(bead.id) ?? [] },
  }));
}

function planningFields(bead: Bead): Partial<Bead> {
  const fields: Partial<Bead> = { ...bead };
  for (const field of beadRuntimeFields) delete fields[field];
  return fields;
}

function findCycle(beads: ReadonlyMap<string, Bead>): readonly string[] | undefined {
  const state = new Map<string, 'open' | 'closed'>();
  for (const start of beads.keys()) {
    const path: { id: string; next: number }[] = state.has(start) ? [] : [{ id: start, next: 0 }];
    if (path.length > 0) state.set(start, 'open');
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const id = beads.get(top.id)?.dependencies.blocked_by[top.next++];
      if (id === undefined) {
        state.set(top.id, 'closed');
        path.pop();
      } else if (state.get(id) === 'open') {
        return [...path.slice(path.findIndex((step) => step.id === id)).map((step) => step.id), id];
      } else if (beads.has(id) && !state.has(id)) {
        state.set(id, 'open');
        path.push({ id, next: 0 });
      }
    }
  }
  return undefined;
}

/** Pending beads whose blockers are done (docs/decisions/028-bead-scheduling.md). */
export function getRunnable(beads: readonly Bead[]): Bead[] {
  const done = doneIds(beads);
  return beads.filter((bead) => isRunnable(bead, done));
}

/** The runnable bead with the lowest priority number, then by list order. */
export function getNextBead(beads: readonly Bead[]): Bead | undefined {
  const done = doneIds(beads);
  let next: Bead | undefined;
  for (const bead of beads)
    if ((!next || bead.priority < next.priority) && isRunnable(bead, done)) next = bead;
  return next;
}

/** True if every bead is done or skipped, and at least one is done. */
export function isAllComplete(beads: readonly Bead[]): boolean {
  return beads.some(({ status }) => status === 'done') && beads.every(isSettled);
}

function isRunnable(bead: Bead, done: ReadonlySet<string>): boolean {
  return bead.status === 'pending' && bead.dependencies.blocked_by.every((id) => done.has(id));
}

function doneIds(beads: readonly Bead[]): ReadonlySet<string> {
  const done = new Set<string>();
  for (const bead of beads) if (bead.status === 'done') done.add(bead.id);
  return done;
}
