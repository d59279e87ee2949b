import type { PrdDraft } from '../requirements/prd.ts';
import { type AuditSubject, prdPlaces } from './auditRows.ts';
import { criteriaOf, type LinkedPrd } from '../requirements/criteria.ts';
import { type LinkedBead, linksOf, type LinkSources } from './links.ts';

/** A PRD audit's subject: answers, and places in the PRD. */
export function prdSubject(prd: PrdDraft, questions: LinkSources['questions']): AuditSubject {
  const { holes } = linksOf({ questions, prd });
  return { ids: questions.map(({ id }) => id), places: prdPlaces(prd), maySettle: true, holes };
}

/** A plan audit's subject: criteria, and beads. */
export function planSubject(prd: LinkedPrd, beads: readonly LinkedBead[]): AuditSubject {
  const holes = linksOf({ questions: [], prd, beads }).holes.filter(({ kind }) => kind !== 'unknownQuestion');
  return {
    ids: criteriaOf(prd).map(({ id }) => id),
    places: beads.map(({ id }) => id),
    maySettle: false,
    holes,
  };
}
