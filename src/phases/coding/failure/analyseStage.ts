import { AnalysisAnswer, causeHash, type FailureAnalysis } from '../../../domain/beads/analysis.ts';
import { failureText } from '../../../domain/beads/failure.ts';
import { countsText, progressCounts } from '../../../domain/beads/progress.ts';
import { reviewerOf } from '../../../domain/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket.ts';
import type { StageInput } from '../../../domain/workflow/beadStages.ts';
import type { StepIo } from '../../../engine/run/run.ts';
import type { StageHandler } from '../../../engine/run/stage.ts';
import { artifactChange } from '../../shared/artifacts.ts';
import { ask } from '../../shared/ask/ask.ts';
import { ticketParts } from '../../shared/ask/ticketParts.ts';
import { optionalPhase, phaseBounds } from '../../shared/optionalPhase.ts';
import { appendRecord } from '../../shared/records.ts';
import { analyseStep } from '../../shared/sessions.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';
import { attemptLines } from './analysis.ts';
import { startOf } from '../candidate.ts';
import { plannedBead } from '../changeBead.ts';

/** The end of what was wrong, and the list of changed files, as an analyst gets them. */
const longestProblem = 6_000;
const mostFiles = 100;

/**
 * Lets another model of the council say why an iteration failed and what should happen (docs/decisions/138-failure-analysis.md). It reads what the iteration
 * left, and gets the failure and one line for each earlier iteration, but no transcript. An interruption isn't analysed. A failure of the analysis itself is
 * recorded and passed over.
 */
export const analyseStage: StageHandler<'analyse'> = async (run, ticket, input) => {
  const { bead, interrupted } = input;
  if (interrupted) return { exit: 'skipped', output: { analysis: null } };
  const mine = { id: bead.id, iteration: bead.iteration };
  const phase = 'failure-analysis';
  const found = await optionalPhase(run, ticket, { phase, bead: mine }, async () => {
    const analyst = reviewerOf(ticketParts(ticket).settings);
    const { value } = await ask(run, ticket, {
      key: analyseStep,
      contextKey: 'failure_analysis',
      prompt: 'failure-analysis',
      member: analyst,
      state: { beadData: plannedBead(bead) },
      sections: async (io) => [
        { name: 'attempts', content: await attemptLines(io, bead) },
        { name: 'failed_check', content: failedCheck(input) },
        { name: 'changed_files', content: await changedFiles(io, ticket, input) },
      ],
      parse: parseStructured({ schema: AnalysisAnswer }),
      result: AnalysisAnswer,
      bead: mine,
      ...phaseBounds(run.limits, phase),
      accept: async (io, answer) => {
        const analysis = analysisOf(bead, analyst, answer);
        io.save(artifactChange(ticket, `failure_analysis:${bead.id}`, analysis));
        await appendRecord(io, ticket, { bead: bead.id, iteration: bead.iteration, kind: 'failure_analysis', payload: analysis });
        const text = `Failure analysis of ${bead.id}, iteration ${String(bead.iteration)}: ${answer.recommendation}. ${answer.rootCause}`;
        io.ports.events.emit({ type: 'activity', ticket: ticket.id, at: io.ports.clock.now(), source: 'engine', kind: 'info', text });
      },
    });
    return analysisOf(bead, analyst, value);
  });
  return found ? { exit: 'done', output: { analysis: found } } : { exit: 'skipped', output: { analysis: null } };
};

function analysisOf({ id, iteration }: StageInput<'analyse'>['bead'], analyst: string, answer: AnalysisAnswer): FailureAnalysis {
  return { ...answer, schema_version: 1, bead: id, iteration, analyst, causeHash: causeHash(answer.rootCause) };
}

function failedCheck({ failure, problem, checks }: StageInput<'analyse'>): string {
  const parts = [
    ...(failure ? [`Cause: ${failure.cause}. ${failureText(failure).reason}`] : []),
    ...(failure && failure.tests.length > 0 ? [`Failed tests: ${failure.tests.join(', ')}`] : []),
    ...(checks.length > 0 ? [`Rejected checks: ${String(checks.length)} (${countsText(progressCounts(checks))}).`] : []),
    problem.slice(-longestProblem),
  ];
  return parts.join('\n\n');
}

/** What the iteration changed since its start, committed or not, by file. */
async function changedFiles(io: StepIo, ticket: TicketSnapshot, { bead }: StageInput<'analyse'>): Promise<string> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const committed = await git.compare(startOf(bead), await git.head(worktree));
  const open = await git.status(worktree);
  const files = [...new Set([...committed, ...open].map(({ path }) => path))];
  const more = files.length > mostFiles ? [`… and ${String(files.length - mostFiles)} more`] : [];
  const lines = files.slice(0, mostFiles).map((path) => `- ${path}`);
  return [...lines, ...more].join('\n') || 'No file was changed.';
}
