import type { Behaviour } from '../engine/runner.ts';
import { cancel } from './cancel.ts';
import { cleanup } from './delivery/cleanup.ts';
import { integrate } from './delivery/integrate.ts';
import { manualQa } from './delivery/manualQa.ts';
import { pullRequest } from './delivery/pullRequest.ts';
import { qaChecklist } from './delivery/qaChecklist.ts';
import { rest } from './delivery/rest.ts';
import { review } from './delivery/review.ts';
import { approveSetup } from './execution/approveSetup.ts';
import { coding } from './execution/coding.ts';
import { finalTest } from './execution/finalTest.ts';
import { preflight } from './execution/preflight.ts';
import { prepareEnvironment } from './execution/prepareEnvironment.ts';
import { setupPlan } from './execution/setupPlan.ts';
import { stageHandlers } from './execution/stages.ts';
import { approveBeads } from './planning/approveBeads.ts';
import { approveInterview } from './planning/approveInterview.ts';
import { approvePrd } from './planning/approvePrd.ts';
import { beadsCoverage } from './planning/beadsCoverage.ts';
import { checkEdit } from './planning/checkEdit.ts';
import { compileInterview } from './planning/compileInterview.ts';
import { draft } from './planning/draft.ts';
import { draftBeads } from './planning/draftBeads.ts';
import { draftInterview } from './planning/draftInterview.ts';
import { draftPrd } from './planning/draftPrd.ts';
import { expandBeads } from './planning/expandBeads.ts';
import { interview } from './planning/interview.ts';
import { interviewCoverage } from './planning/interviewCoverage.ts';
import { prdCoverage } from './planning/prdCoverage.ts';
import { refineBeads } from './planning/refineBeads.ts';
import { refinePrd } from './planning/refinePrd.ts';
import { scanRelevantFiles } from './planning/scanRelevantFiles.ts';
import { voteCouncil } from './planning/voteCouncil.ts';

/** What happens in every status and every stage of a bead. Leave a handler out and it doesn't compile. */
export const behaviour: Behaviour = {
  handlers: {
    draft,
    scanRelevantFiles,
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
    approveInterview,
    approvePrd,
    approveBeads,
    preflight,
    setupPlan,
    approveSetup,
    prepareEnvironment,
    coding,
    finalTest,
    qaChecklist,
    manualQa,
    integrate,
    pullRequest,
    review,
    cleanup,
    rest,
  },
  stages: stageHandlers,
  cancel,
  checkEdit,
};
