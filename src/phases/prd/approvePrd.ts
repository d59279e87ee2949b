import { approvalGate } from '../shared/gate/approvalGate.ts';
import { extraFix } from '../shared/coverage/extraFix.ts';
import { prdDocument } from './prdDocument.ts';
import { prdState, revisePrd } from './revisePrd.ts';

/** WAITING_PRD_APPROVAL. */
export const approvePrd = approvalGate(prdDocument, (run, ticket, { key, gaps, history }) =>
  extraFix(run, ticket, {
    key,
    document: prdDocument,
    domain: 'prd',
    revise: (winner) => revisePrd(run, ticket, { key: `${key}-revise`, winner, gaps, history, sections: [], atGate: true }),
    state: prdState,
  }),
);
