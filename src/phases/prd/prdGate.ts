import { type Prd, prdDocument } from '../../domain/requirements/prd.ts';
import { type AuditedAtGate, checkAgain } from '../shared/coverage/checkAgain.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import { artifactDocument, type GateDocument } from '../shared/coverage/gateDocument.ts';
import { prdState, prdSubjectOf, revisePrd } from './revisePrd.ts';

const stored = artifactDocument(prdDocument.kind);

const audited: AuditedAtGate = {
  domain: prdDocument.kind,
  present: stored.present,
  state: prdState,
  subject: prdSubjectOf,
};

/** The PRD at its gate: a fix revises it by its winner, who compares it with the full answers. */
export const prdGate: GateDocument<Prd> = {
  ...stored,
  fixGaps: (run, ticket, { key, gaps, history }) =>
    extraFix(run, ticket, key, {
      ...audited,
      revise: (winner) =>
        revisePrd(run, ticket, { key: `${key}-revise`, winner, gaps, history, sections: [], atGate: true }),
    }),
  checkAgain: (run, ticket, key) => checkAgain(run, ticket, key, audited),
};
