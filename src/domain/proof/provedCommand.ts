import type { Evidence } from '../core/evidence.ts';
import { ProvedCommand } from './commitEvidence.ts';
import { testCountsOf } from './testResults.ts';

/** Evidence that travels: without output, which stays in the database, and folder. */
export function provedCommand(evidence: Evidence): ProvedCommand {
  const counts = testCountsOf(evidence);
  return ProvedCommand.parse({ ...evidence, ...(counts && { counts }) });
}
