import * as z from 'zod';
import type { CoverageReport } from '../../domain/interview.ts';
import type { CoverageAudit } from '../../domain/prd.ts';
import type { Run, RecordIo } from '../../engine/run.ts';

type Pass = CoverageReport['passes'][number];

/**
 * Audit, revise, audit …, until nothing is missing or the passes are used up; then the newest candidate goes on with its gaps shown
 * (LoopTroop 6.4, 7.3). One revision for each round of gaps. Answers the report.
 */
export async function coverageLoop(
  run: Run,
  options: {
    readonly maxPasses: number;
    /** The hash of the present candidate. */
    readonly candidate: (io: RecordIo) => Promise<string>;
    readonly audit: (pass: number) => Promise<CoverageAudit>;
    readonly revise: (pass: number, gaps: readonly string[]) => Promise<void>;
  },
): Promise<CoverageReport> {
  const passes: Pass[] = [];
  for (let pass = 1; ; pass++) {
    const candidate = await run.record(`candidate-${pass}`, z.string(), options.candidate);
    const audit = await options.audit(pass);
    passes.push({ pass, status: audit.status, gaps: audit.gaps, candidate });
    if (audit.status === 'clean') return { schema_version: 1, passes, outcome: 'clean', open_gaps: [] };
    if (pass >= options.maxPasses) return { schema_version: 1, passes, outcome: 'limit', open_gaps: audit.gaps };
    await options.revise(pass, audit.gaps);
  }
}
