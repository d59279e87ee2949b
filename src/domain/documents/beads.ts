import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type Bead, type EditedBead, isSettled, reasonWithoutProof } from '../beads/bead.ts';
import { planHash, planLines } from '../beads/beadPlan.ts';
import { EditedPlan, readPlan } from '../beads/readPlan.ts';
import { itemOf, listOf, textIn } from './base/check.ts';
import type { Document, Item, Problem, Reference } from './base/document.ts';
import type { Outline } from './base/outline.ts';

/** The outline by which two versions of a blueprint, or of a plan below the key `beads`, are compared. */
export const beadsOutline: Outline = {
  kind: 'document',
  texts: [],
  lists: [],
  items: {
    key: 'beads',
    outline: {
      kind: 'bead',
      texts: ['title', 'description', 'unprovedReason'],
      lists: [
        'prdRefs',
        'acceptanceCriteria',
        'tests',
        'testCommands',
        'contextGuidance.patterns',
        'contextGuidance.anti_patterns',
        'labels',
        'dependencies.blocked_by',
        'targetFiles',
      ],
    },
  },
};

const listed = 'Beads: {0}. {1}';

/**
 * The bead plan. Its current version is the ticket's bead rows; what an approval guards and people read is
 * their planning fields (docs/decisions/013-approvals-by-hash.md).
 */
export const beadsDocument = {
  kind: 'beads',
  title: 'Beads',
  subject: 'The bead plan',
  file: 'beads.jsonl',
  format: 'jsonl',
  projection: 'beads/{flow}/.beads/issues.jsonl',
  schema: EditedPlan,
  rows: { hash: planHash, shown: planLines },
  council: { draft: 'bead plan', refined: 'beads_refined' },
  approval: {
    rewindsTo: 'PRE_FLIGHT_CHECK',
    rewindWarning: 'The setup is planned and prepared again for the changed beads. Finished beads stay.',
    edited: ({ value, ticket }, present) => readPlan(value, present ?? [], ticket),
    gaps: (beads) => beads.flatMap(gapOf),
    approved: (beads, at) =>
      beads.map((bead) => (isSettled(bead) ? bead : { ...bead, createdAt: at, updatedAt: at })),
  },
  repeatedIds: 'error',
  items: (value) => listOf(value, []).flatMap((bead) => itemOf('bead', bead, 'title')),
  references: {
    unknown: 'unknownBead',
    of: (value) =>
      listOf(value, []).flatMap((bead) => [
        ...edgesOf(bead.value, bead.path, 'blocked_by'),
        ...edgesOf(bead.value, bead.path, 'blocks'),
      ]),
  },
  problems: (value, items, references) => [
    ...references.flatMap(({ id, from, field, path }) =>
      id === from && field === 'blocked_by' ? [error('selfBlocked', path, { id })] : [],
    ),
    ...edgeProblems(items, references),
    ...items.flatMap(({ id, path }) => (isUntestable(value, path) ? [noAcceptance(id, path)] : [])),
    ...items.flatMap(({ id, path }) => (isUnproved(value, path) ? [unproved(id, path)] : [])),
  ],
  summaries: [listed],
  summary: (value) => {
    const titles = listOf(value, []).flatMap(({ value: bead }) => textIn(bead, 'title') || []);
    return { text: listed, args: [titles.length, titles.join(' · ')] };
  },
} as const satisfies Document<readonly Bead[]>;

function edgesOf(bead: unknown, path: Item['path'], field: 'blocked_by' | 'blocks'): readonly Reference[] {
  return listOf(bead, ['dependencies', field], path).flatMap((one) =>
    typeof one.value === 'string' ? [{ id: one.value, from: textIn(bead, 'id'), field, path: one.path }] : [],
  );
}

/** `blocked_by` counts. The engine fills gaps in `blocks`, and refuses what stands there alone. */
function edgeProblems(items: readonly Item[], references: readonly Reference[]): readonly Problem[] {
  const known = new Set(items.flatMap(({ id }) => (id === '' ? [] : [id])));
  const edges = new Set(
    references.filter(({ field }) => field === 'blocked_by').map(({ from, id }) => `${from} ${id}`),
  );
  const alone = references.filter(
    ({ id, from, field }) => field === 'blocks' && known.has(id) && !edges.has(`${id} ${from}`),
  );
  return [
    ...alone.map(({ id, from, path }) => error('unanswered', path, { id, from })),
    ...circlesOf(items, references).map(({ closing, ids }) =>
      error('circle', closing.path, { path: ids.join(' → ') }),
    ),
  ];
}

/** A circle of dependencies: the reference that closes it, and its ids, the first again at the end. */
interface Circle {
  readonly closing: Reference;
  readonly ids: readonly string[];
}

/** The circles that a walk along "is blocked by" runs into, each once. */
function circlesOf(items: readonly Item[], references: readonly Reference[]): readonly Circle[] {
  const blockers = Map.groupBy(
    references.filter(({ field }) => field === 'blocked_by'),
    ({ from }) => from,
  );
  const closed = new Set<string>();
  const circles: Circle[] = [];
  for (const { id: start } of items) {
    // An explicit stack, because a plan may be long, and each id's place on it, so that the walk stays
    // linear.
    const path: { readonly id: string; next: number }[] = closed.has(start) ? [] : [{ id: start, next: 0 }];
    const places = new Map(path.map(({ id }, place) => [id, place]));
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const reference = blockers.get(top.id)?.[top.next++];
      if (!reference) {
        closed.add(top.id);
        places.delete(top.id);
        path.pop();
        continue;
      }
      const place = places.get(reference.id);
      if (place !== undefined && reference.id !== top.id)
        circles.push({ closing: reference, ids: [...path.slice(place).map(({ id }) => id), reference.id] });
      if (place === undefined && !closed.has(reference.id)) {
        places.set(reference.id, path.length);
        path.push({ id: reference.id, next: 0 });
      }
    }
  }
  return circles;
}

/** Returns true if the criteria are there and say nothing. Missing criteria are the schema's matter. */
function isUntestable(plan: unknown, path: Item['path']): boolean {
  const bead: unknown = Array.isArray(plan) ? plan[Number(path[0])] : undefined;
  const criteria = isRecord(bead) ? bead['acceptanceCriteria'] : undefined;
  return Array.isArray(criteria) && criteria.every((one) => typeof one === 'string' && one.trim() === '');
}

function noAcceptance(id: string, path: Item['path']): Problem {
  return { code: 'noAcceptance', args: { id }, severity: 'warning', path: [...path, 'acceptanceCriteria'] };
}

/** Returns what no command will show of a bead (docs/decisions/051-red-first.md). */
function gapOf(bead: z.infer<typeof EditedBead>): readonly string[] {
  const reason = reasonWithoutProof(bead);
  const why = reason === '' ? 'The plan gives no reason.' : `Reason: ${reason}`;
  if ((bead.testCommands ?? []).length === 0) return [`No command proves ${bead.id}. ${why}`];
  return reason === '' ? [] : [`The commands of ${bead.id} don't have to fail without it. ${why}`];
}

function isUnproved(plan: unknown, path: Item['path']): boolean {
  const bead: unknown = Array.isArray(plan) ? plan[Number(path[0])] : undefined;
  if (!isRecord(bead)) return false;
  const { testCommands: commands, unprovedReason: reason = bead['testCommandReason'] } = bead;
  const isEmpty = commands === undefined || (Array.isArray(commands) && commands.length === 0);
  return isEmpty && (typeof reason !== 'string' || reason.trim() === '');
}

function unproved(id: string, path: Item['path']): Problem {
  return { code: 'unproved', args: { id }, severity: 'error', path: [...path, 'testCommands'] };
}

function error(code: Problem['code'], path: Item['path'], args: Problem['args']): Problem {
  return { code, args, severity: 'error', path };
}
