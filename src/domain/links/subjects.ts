import type { PrdDraft } from '../requirements/prd.ts';
import { type AuditSubject, prdPlaces } from './auditRows.ts';
import { criteriaOf, type LinkedPrd } from '../requirements/criteria.ts';
import { type LinkedBead, linksOf, type LinkSources } from './links.ts';

/** Returns the subject of an audit of a PRD: each answer, and the places where the PRD can meet it. */
export function prdSubject(prd: PrdDraft, questions: LinkSources['questions']): AuditSubject {
  const { holes } = linksOf({ questions, prd });
  return { ids: questions.map(({ id }) => id), places: prdPlaces(prd), maySettle: true, holes };
}

/** Returns what an audit of a plan is about: each criterion, and the beads that can meet it. */
export function planSubject(prd: LinkedPrd, beads: readonly LinkedBead[]): AuditSubject {
  const holes = linksOf({ questions: [], prd, beads }).holes.filter(({ kind }) => kind !== 'unknownQuestion');
  return {
    ids: criteriaOf(prd).map(({ id }) => id),
    places: beads.map(({ id }) => id),
    maySettle: false,
    holes,
  };
}
