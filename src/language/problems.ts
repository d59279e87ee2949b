import type * as z from 'zod';
import { isRecord } from '../base/json.ts';
import { EditedBead } from '../domain/beads/bead.ts';
import { Interview } from '../domain/documents/interview.ts';
import { Prd } from '../domain/documents/prd.ts';
import { RelevantFiles } from '../domain/documents/relevantFiles.ts';
import { SetupPlan, setupPlanProblem } from '../domain/documents/setupPlan.ts';
import type { LanguageKind, ProblemCode } from '../protocol/language.ts';
import { circlesOf } from './graph.ts';
import { allItems, type Item, itemsOf, type Reference, referencesOf } from './items.ts';
import type { Located, Path, Span } from './located.ts';

export interface Problem {
  readonly code: ProblemCode;
  readonly args: Readonly<Record<string, string>>;
  readonly severity: 'error' | 'warning';
  readonly span: Span;
}

/** What each kind of document has to be; of beads, each of them. */
export const schemas = {
  relevant_files: RelevantFiles,
  interview: Interview,
  prd: Prd,
  beads: EditedBead,
  execution_setup_plan: SetupPlan,
} as const satisfies Record<LanguageKind, z.ZodType>;

/**
 * What is wrong with a document. Where it can't be read, only that is said, because everything else would be guesswork. `ticket`: whose document it
 * is, if that is known.
 */
export function problemsOf(kind: LanguageKind, located: Located, ticket: string | undefined): readonly Problem[] {
  const syntax = located.errors.map(({ message, span }) => error('syntax', span, { reason: message }));
  if (syntax.length > 0 && kind !== 'beads') return syntax;
  if (isEmpty(located.value)) return syntax.length > 0 ? syntax : [error('empty', located.spanOf([]))];
  return [...syntax, ...schemaProblems(kind, located), ...idProblems(kind, located), ...ownProblems(kind, located, ticket)];
}

function schemaProblems(kind: LanguageKind, located: Located): Problem[] {
  const parts: readonly (readonly [value: unknown, base: Path])[] =
    kind === 'beads' && Array.isArray(located.value)
      ? located.value.flatMap((value: unknown, index) => (value === undefined ? [] : [[value, [index]] as const]))
      : [[located.value, []]];
  return parts.flatMap(([value, base]) => {
    const issues = schemas[kind].safeParse(value).error?.issues ?? [];
    return issues.map((issue) => {
      const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
      const span = located.spanOf([...base, ...path]);
      const key = path.at(-1);
      if (typeof key === 'string' && !isThere(value, path)) return error('missing', span, { key });
      return error('schema', span, { reason: issue.message });
    });
  });
}

function idProblems(kind: LanguageKind, located: Located): Problem[] {
  const items = allItems(itemsOf(kind, located)).filter(({ id }) => id !== '');
  const references = referencesOf(kind, located);
  // The engine gives a PRD's epics and stories other ids where they are repeated; elsewhere the document is refused.
  const severity = kind === 'prd' || kind === 'execution_setup_plan' ? 'warning' : 'error';
  const seen = new Set<string>();
  const repeated = items.filter(({ id }) => seen.has(id) || !seen.add(id));
  return [
    ...repeated.map(({ id, path }): Problem => ({ code: 'duplicateId', args: { id }, severity, span: located.spanOf([...path, 'id']) })),
    ...references.flatMap((reference) => unknownProblem(kind, items, reference)),
    ...(kind === 'beads' ? edgeProblems(items, references) : []),
  ];
}

function unknownProblem(kind: LanguageKind, items: readonly Item[], { id, from, field, span }: Reference): Problem[] {
  if (kind === 'beads' && id === from && field === 'blocked_by') return [error('selfBlocked', span, { id })];
  if (items.some((item) => item.id === id)) return [];
  return [error(kind === 'beads' ? 'unknownBead' : 'unknownQuestion', span, { id })];
}

/** `blocked_by` is what counts. The engine adds to `blocks` what is missing there, and refuses what stands there alone. */
function edgeProblems(items: readonly Item[], references: readonly Reference[]): Problem[] {
  const known = new Set(items.map(({ id }) => id));
  const edges = new Set(references.filter(({ field }) => field === 'blocked_by').map(({ from, id }) => `${from} ${id}`));
  const alone = references.filter(({ id, from, field }) => field === 'blocks' && known.has(id) && !edges.has(`${id} ${from}`));
  return [
    ...alone.map(({ id, from, span }) => error('unanswered', span, { id, from })),
    ...circlesOf(items, references).map(({ closing, path }) => error('circle', closing.span, { path: path.join(' → ') })),
  ];
}

function ownProblems(kind: LanguageKind, located: Located, ticket: string | undefined): Problem[] {
  const { value } = located;
  if (kind === 'beads')
    return itemsOf(kind, located).flatMap(({ id, path }) => {
      const bead: unknown = Array.isArray(value) ? value[Number(path[0])] : undefined;
      const criteria = isRecord(bead) ? bead['acceptanceCriteria'] : undefined;
      const isBare = Array.isArray(criteria) && criteria.every((one) => typeof one === 'string' && one.trim() === '');
      const span = located.spanOf([...path, 'acceptanceCriteria']);
      return isBare ? [{ code: 'noAcceptance', args: { id }, severity: 'warning', span } as const] : [];
    });
  const named = isRecord(value) ? value['ticket_id'] : undefined;
  const wrong = ticket !== undefined && typeof named === 'string' && named !== ticket;
  const plan = kind === 'execution_setup_plan' ? SetupPlan.safeParse(value) : undefined;
  const reason = plan?.success ? setupPlanProblem(plan.data) : undefined;
  return [
    ...(wrong ? [error('wrongTicket', located.spanOf(['ticket_id']), { ticket })] : []),
    ...(reason === undefined ? [] : [error('contradiction', located.spanOf(['readiness']), { reason })]),
  ];
}

function error(code: ProblemCode, span: Span, args: Problem['args'] = {}): Problem {
  return { code, args, severity: 'error', span };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isThere(value: unknown, path: Path): boolean {
  let at = value;
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return false;
    at = Reflect.get(at, part);
  }
  return at !== undefined;
}
