import type { PrdDraft } from '../documents/prd.ts';
import { type AuditSubject, prdPlaces } from './auditRows.ts';
import { criteriaOf, type LinkedPrd } from './criteria.ts';
import { type LinkedBead, linksOf, type LinkSources } from './links.ts';

/** What an audit of a PRD speaks of: each answer, and where the PRD meets it. */
export function prdSubject(prd: PrdDraft, questions: LinkSources['questions']): AuditSubject {
  const { holes } = linksOf({ questions, prd });
  return { ids: questions.map(({ id }) => id), places: prdPlaces(prd), maySettle: true, holes };
}

/**
 * What an audit of a plan speaks of: each criterion, and which bead meets it. What the PRD itself lacks is no
 * matter of the plan.
 */
export function planSubject(prd: LinkedPrd, beads: readonly LinkedBead[]): AuditSubject {
  const holes = linksOf({ questions: [], prd, beads }).holes.filter(({ kind }) => kind !== 'unknownQuestion');
  return {
    ids: criteriaOf(prd).map(({ id }) => id),
    places: beads.map(({ id }) => id),
    maySettle: false,
    holes,
  };
}
