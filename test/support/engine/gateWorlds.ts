import { stringify } from 'yaml';
import { beadLines } from '../../../src/domain/beads/beadPlan.ts';
import { hydrateBeads } from '../../../src/domain/beads/readPlan.ts';
import { beads, interviewDocument, prdText, winnerDocument } from '../models/planningAnswers.ts';
import type { PhaseWorld, phaseWorlds } from './phaseWorld.ts';

const withGap = stringify({
  schema_version: 1,
  passes: [{ pass: 1, status: 'gaps', gaps: ['A gap.'], candidate: 'a'.repeat(64) }],
  outcome: 'limit',
  open_gaps: ['A gap.'],
});
export const atGatePlan = hydrateBeads(
  { beads: [...beads] },
  beads.map(({ id }) => ({
    id,
    issueType: 'task',
    labels: ['x'],
    dependencies: { blocked_by: [] },
    targetFiles: ['src/greet.ts'],
  })),
  'TST-1',
);

/** With one open gap. */
export function gateWorlds(
  worlds: ReturnType<typeof phaseWorlds>,
): Readonly<Record<'prdWorld' | 'beadsWorld', () => Promise<PhaseWorld>>> {
  const prdWorld = async (): Promise<PhaseWorld> => {
    const world = await worlds('WAITING_PRD_APPROVAL');
    await world.put('interview', stringify(interviewDocument()));
    await world.put('prd_winner', winnerDocument());
    await world.put('full_answers:demo/main', stringify(interviewDocument()));
    await world.put('prd_coverage', withGap, 'VERIFYING_PRD_COVERAGE');
    await world.put('prd', prdText(), 'VERIFYING_PRD_COVERAGE');
    return world;
  };
  const beadsWorld = async (): Promise<PhaseWorld> => {
    const world = await worlds('WAITING_BEADS_APPROVAL');
    await world.put('prd', prdText());
    await world.put('beads_winner', winnerDocument());
    await world.put('beads_coverage', withGap, 'VERIFYING_BEADS_COVERAGE');
    await world.put('beads_blueprint', stringify({ beads }), 'REFINING_BEADS');
    await world.put('beads', beadLines(atGatePlan), 'EXPANDING_BEADS');
    await world.change({ type: 'beads', beads: atGatePlan });
    return world;
  };
  return { prdWorld, beadsWorld };
}
