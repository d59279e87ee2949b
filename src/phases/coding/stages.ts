import type { StageHandlers } from '../../engine/run/run.ts';
import { checkStage } from './checkStage.ts';
import { codeStage } from './codeStage.ts';
import { finalizeStage } from './finalizeStage.ts';

/** The implemented stages of a bead iteration; the optional ones are passed over. */
export const stageHandlers: StageHandlers = { version: 1, code: codeStage, check: checkStage, finalize: finalizeStage };
