import type { Behaviour } from '../engine/drive/runner.ts';
import { cancel } from './cancel.ts';
import { coding, stageMachine } from './coding/coding.ts';
import { cleanup, rest } from './delivery/cleanup.ts';
import { integrate } from './delivery/integrate.ts';
import { manualQa, qaChecklist } from './delivery/manualQa.ts';
import { pullRequest } from './delivery/pullRequest.ts';
import { review } from './delivery/review.ts';
import { finalTest } from './finalTest/finalTest.ts';
import { compileInterview, draftInterview } from './interview/questionList.ts';
import { interview, interviewGate, quickAnswers } from './interview/interview.ts';
import { interviewCoverage } from './interview/interviewCoverage.ts';
import { prepareLoop } from './setup/loopSetup.ts';
import { beadsCoverage, draftBeads, refineBeads } from './plan/blueprint.ts';
import { beadsGate, expandBeads } from './plan/beads.ts';
import { draftPrd } from './prd/draftPrd.ts';
import { prdCoverage, prdGate, refinePrd } from './prd/prd.ts';
import { moveBuilders, receiptBuilders } from './actionChanges.ts';
import { planQuick } from './quick/planQuick.ts';
import { retrospective } from './delivery/retrospective.ts';
import { undoMerge } from './delivery/undoMerge.ts';
import { draft } from './start/draft.ts';
import { scanRelevantFiles } from './scan/scanRelevantFiles.ts';
import { preflight } from './setup/preflight.ts';
import { prepareEnvironment } from './setup/prepareEnvironment.ts';
import { setupGate, setupPlan } from './setup/setupPlan.ts';
import { voteCouncil } from './shared/panel/voteCouncil.ts';
import { approvalGate } from './shared/gate/approvalGate.ts';
import type { GateDocuments } from './shared/coverage/gateDocument.ts';
import { rewindChanges } from './shared/gate/rewind.ts';

const gateDocuments: GateDocuments = {
  interview: interviewGate,
  prd: prdGate,
  beads: beadsGate,
  execution_setup_plan: setupGate,
};

export const behaviour: Behaviour = {
  handlers: {
    draft,
    scanRelevantFiles,
    prepareLoop,
    planQuick,
    quickAnswers,
    draftInterview,
    draftPrd,
    draftBeads,
    voteCouncil,
    compileInterview,
    interview,
    interviewCoverage,
    refinePrd,
    refineBeads,
    prdCoverage,
    beadsCoverage,
    expandBeads,
    approve: approvalGate(gateDocuments),
    preflight,
    setupPlan,
    prepareEnvironment,
    coding,
    finalTest,
    qaChecklist,
    manualQa,
    integrate,
    pullRequest,
    review,
    retrospective,
    cleanup,
    rest,
  },
  stages: stageMachine,
  prepared: { cancel, undo_merge: undoMerge },
  changes: { receipts: receiptBuilders, rewind: rewindChanges(gateDocuments), moves: moveBuilders },
};
