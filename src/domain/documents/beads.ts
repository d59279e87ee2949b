import type * as z from 'zod';
import { isRecord } from '../../base/json.ts';
import { type Bead, type EditedBead, isSettled, reasonWithoutProof } from '../beads/bead.ts';
import { planHash } from '../beads/beadPlan.ts';
import { EditedPlan, readPlan } from '../beads/readPlan.ts';
import { errorAt, itemOf, listOf, textIn } from './base/check.ts';
import type { Document, Item, Problem, Reference } from './base/document.ts';
import type { Outline } from './base/outline.ts';

/** The outline of a blueprint, or of a plan below the key `beads`. */
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
 * The bead plan: the ticket's bead rows, whose planning fields are read and approved
 * (docs/decisions/013-approvals-by-hash.md).
 */
export const beadsDocument = {
  kind: 'beads',
  title: 'Beads',
  subject: 'The bead plan',
  file: 'beads.jsonl',
  format: 'jsonl',
  projection: 'beads/{flow}/.beads/issues.jsonl',
  schema: EditedPlan,
  rows: { hash: planHash },
  council: { draft: 'bead plan', refined: 'beads_refined' },
  approval: {
    rewindsTo: 'PRE_FLIGHT_CHECK',
    rewindWarning: 'The setup is planned and prepared again for the changed beads. Finished beads stay.',
    edited: ({ value, ticket }, present) => readPlan(value, present ?? [], ticket),
    gaps: (beads) => beads.flatMap(gapOf),
    approved: (beads, { approved_at: at }) =>
      beads.map((bead) => (isSettled(bead) ? bead : { ...bead, createdAt: at, updatedAt: at })),
  },
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
      id === from && field === 'blocked_by' ? [errorAt(path, 'selfBlocked', { id })] : [],
    ),
    ...edgeProblems(items, references),
    ...items.flatMap(({ id, path }) => (isUntestable(beadAt(value, path)) ? [noAcceptance(id, path)] : [])),
    ...items.flatMap(({ id, path }) =>
      isUnproved(beadAt(value, path)) ? [errorAt([...path, 'testCommands'], 'unproved', { id })] : [],
    ),
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

/** `blocked_by` counts: gaps in `blocks` are filled, extra entries refused. */
function edgeProblems(items: readonly Item[], references: readonly Reference[]): readonly Problem[] {
  const known = new Set(items.flatMap(({ id }) => (id === '' ? [] : [id])));
  const edges = new Set(
    references.filter(({ field }) => field === 'blocked_by').map(({ from, id }) => `${from} ${id}`),
  );
  const alone = references.filter(
    ({ id, from, field }) => field === 'blocks' && known.has(id) && !edges.has(`${id} ${from}`),
  );
  return [
    ...alone.map(({ id, from, path }) => errorAt(path, 'unanswered', { id, from })),
    ...circlesOf(items, references).map(({ closing, ids }) =>
      errorAt(closing.path, 'circle', { path: ids.join(' → ') }),
    ),
  ];
}

interface Circle {
  readonly closing: Reference;
  readonly ids: readonly string[];
}

function circlesOf(items: readonly Item[], references: readonly Reference[]): readonly Circle[] {
  const blockers = Map.groupBy(
    references.filter(({ field }) => field === 'blocked_by'),
    ({ from }) => from,
  );
  const closed = new Set<string>();
  const circles: Circle[] = [];
  for (const { id: start } of items) {
    // An explicit stack, since a plan may be long, with each id's place on it, so that the walk stays linear.
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

type Fields = Readonly<Record<string, unknown>>;

function beadAt(plan: unknown, [place]: Item['path']): Fields {
  const bead: unknown = Array.isArray(plan) ? plan[Number(place)] : undefined;
  return isRecord(bead) ? bead : {};
}

/** Criteria are there and say nothing. Missing ones are the schema's matter. */
function isUntestable({ acceptanceCriteria: criteria }: Fields): boolean {
  return Array.isArray(criteria) && criteria.every((one) => typeof one === 'string' && one.trim() === '');
}

function noAcceptance(id: string, path: Item['path']): Problem {
  return { code: 'noAcceptance', args: { id }, severity: 'warning', path: [...path, 'acceptanceCriteria'] };
}

/** Things no command will show (docs/decisions/051-red-first.md). */
function gapOf(bead: z.infer<typeof EditedBead>): readonly string[] {
  const reason = reasonWithoutProof(bead);
  const why = reason === '' ? 'The plan gives no reason.' : `Reason: ${reason}`;
  if ((bead.testCommands ?? []).length === 0) return [`No command proves ${bead.id}. ${why}`];
  return reason === '' ? [] : [`The commands of ${bead.id} don't have to fail without it. ${why}`];
}

function isUnproved(bead: Fields): boolean {
  const { testCommands: commands, unprovedReason: reason = bead['testCommandReason'] } = bead;
  const isEmpty = commands === undefined || (Array.isArray(commands) && commands.length === 0);
  return isEmpty && (typeof reason !== 'string' || reason.trim() === '');
}
