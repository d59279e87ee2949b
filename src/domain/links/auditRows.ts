import type { CoverageRow } from '../requirements/interview.ts';
import type { CoverageAudit, PrdDraft } from '../requirements/prd.ts';
import { listed, prdNames, sameName, unknownNames } from '../requirements/criteria.ts';
import { type Hole, holeText, names, unnamedHoles } from './holes.ts';

/** An audit's subject: the ids of rows, and their possible places. */
export interface AuditSubject {
  readonly ids: readonly string[];
  readonly places: readonly string[];
  /** An id may be met by nothing, if the note says why. */
  readonly maySettle: boolean;
  readonly holes: readonly Hole[];
}

/** The refusal of an audit's rows by id or place, if any. */
export function rowsProblem(rows: readonly CoverageRow[], { ids, places }: AuditSubject): string | undefined {
  const given = rows.map(({ id }) => sameName(id));
  const missing = ids.filter((id) => !given.includes(sameName(id)));
  const repeated = [
    ...new Set(rows.filter(({ id }, place) => given.indexOf(sameName(id)) !== place).map(({ id }) => id)),
  ];
  const unknown = unknownNames(
    rows.map(({ id }) => id),
    ids,
  );
  const problems = [
    ...(missing.length > 0 ? [`rows: there is no row for ${missing.join(', ')}.`] : []),
    ...(repeated.length > 0 ? [`rows: more than one row for ${repeated.join(', ')}.`] : []),
    ...(unknown.length > 0
      ? [`rows: ${unknown.join(', ')} has no row, because it doesn't exist. Rows are for ${listed(ids)}.`]
      : []),
    ...rows.flatMap(({ id, met_by }) => {
      const odd = unknownPlaces(met_by, places);
      return odd.length === 0
        ? []
        : [`rows: ${id} is said to be met by ${odd.join(', ')}, which doesn't exist.`];
    }),
  ];
  if (problems.some((problem) => problem.includes('said to be met by')))
    problems.push(`The places are ${listed(places)}.`);
  return problems.length === 0 ? undefined : problems.slice(-12).join('\n');
}

/**
 * An audit with valid rows and places only, and with every hole as a gap, even if it says "clean". Gaps that
 * it has aren't repeated.
 */
export function withHoles(audit: CoverageAudit, subject: AuditSubject): CoverageAudit {
  const rows = subject.ids.flatMap((id): CoverageRow[] => {
    const row = rowOf(id, audit.rows);
    if (!row) return [];
    const met_by = row.met_by.filter((place) => unknownPlaces([place], subject.places).length === 0);
    return [{ ...row, id, met_by }];
  });
  const open = subject.holes.filter(
    ({ kind, id }) => kind !== 'question' || settledNote(rowOf(id, rows)) === '',
  );
  const unmet = subject.ids.filter(
    (id) => !open.some((hole) => hole.id === id) && !isMet(rowOf(id, rows), subject.maySettle),
  );
  const holes = unnamedHoles([...open, ...unmet.map((id): Hole => ({ kind: 'unmet', id }))], audit.gaps);
  const gaps = [...audit.gaps, ...holes.map(holeText)];
  return { ...audit, rows, gaps, status: gaps.length === 0 ? 'clean' : 'gaps' };
}

/** Rows without an open gap. */
export function settlingRows(
  rows: readonly CoverageRow[],
  openGaps: readonly string[],
): readonly CoverageRow[] {
  return rows.filter(({ id }) => !openGaps.some((gap) => names(gap, id)));
}

/** An id's row. */
export function rowOf(id: string, rows: readonly CoverageRow[]): CoverageRow | undefined {
  return rows.find((row) => sameName(row.id) === sameName(id));
}

/**
 * The reason why no story follows from an answer: sections that hold it, the audit's note, or both. Empty
 * without a row, or if a story meets it.
 */
export function settledNote(row: CoverageRow | undefined): string {
  if (!row) return '';
  const sections = row.met_by.filter(isSection);
  if (row.met_by.length > 0 && sections.length === 0) return '';
  return [sections.join(', '), row.note.trim()].filter((text) => text !== '').join(': ');
}

/** Places where a PRD can meet an answer: epics, stories, criteria, section keys. */
export function prdPlaces({
  product,
  scope,
  technical_requirements,
  risks,
  ...prd
}: PrdDraft): readonly string[] {
  const sections = Object.entries({ product, scope, technical_requirements, risks }).flatMap(
    ([key, section]) => {
      if (Array.isArray(section)) return section.length > 0 ? [key] : [];
      const inner = Object.entries(section).filter(([, value]) => value !== undefined && value.length > 0);
      return inner.length > 0 ? [key, ...inner.map(([name]) => `${key}.${name}`)] : [];
    },
  );
  return [...prdNames(prd), ...sections];
}

function isSection(place: string): boolean {
  return /^(?:product|scope|technical_requirements|risks)(?:\.|\[|$)/.test(place.trim().toLowerCase());
}

/** A place may have a line number: `risks[0]`. */
function unknownPlaces(met: readonly string[], places: readonly string[]): readonly string[] {
  return met.filter(
    (place) => unknownNames([place.replace(/(?:\[\d+\]|(?<=[a-z])\.\d+)$/, '')], places).length > 0,
  );
}

function isMet(row: CoverageRow | undefined, maySettle: boolean): boolean {
  return row !== undefined && (row.met_by.length > 0 || (maySettle && row.note.trim() !== ''));
}
