import * as z from 'zod';
import {
  consequenceOf,
  FailureAnalysis,
  AnalysisAnswer,
  causeHash,
  mergeAnalyses,
} from '../../../domain/beads/analysis.ts';
import type { Bead, DevRecord } from '../../../domain/beads/bead.ts';
import { failureText } from '../../../domain/beads/failure.ts';
import { Failures } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { RecordIo, Run, StepIo, StageHandler } from '../../../engine/run/run.ts';
import { readJson, artifactChange, yamlText, newestJson } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { countsText, progressCounts } from '../../../domain/beads/progress.ts';
import { attemptRef } from '../../../domain/core/ids.ts';
import { reviewerOf } from '../../../domain/settings/settings.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import { optionalPhase } from '../../shared/optionalPhase.ts';
import {
  partyNote,
  type PartyResult,
  runParty,
  skipRecords,
  speakersOf,
} from '../../shared/panel/runParty.ts';
import { appendRecord } from '../../shared/ticket/records.ts';
import { analyseStep } from '../../shared/worktree/sessions.ts';
import { notQuoted } from '../../shared/structured/notQuoted.ts';
import { startOf } from '../bead/proveCandidate.ts';
import { beadSections, plannedBead } from '../bead/beadContext.ts';
import { tell } from '../../../engine/run/tell.ts';

const mostAttempts = 8;

/** The advice of the newest analysis of an earlier iteration, unless analyses only inform people. */
export async function retryHint(
  io: RecordIo,
  ticket: TicketSnapshot,
  bead: Pick<Bead, 'id' | 'iteration'>,
): Promise<string> {
  const { failureAnalysis } = ticketParts(ticket).settings;
  if (failureAnalysis === 'off' || failureAnalysis === 'inform') return '';
  const analysis = await newestJson(io, `failure_analysis:${bead.id}`, FailureAnalysis);
  return analysis && analysis.iteration < bead.iteration ? analysis.retryHint : '';
}

async function analysesOf(io: RecordIo, bead: string): Promise<readonly FailureAnalysis[]> {
  const { store } = io.ports;
  const stored = await store.artifacts(io.ticket, { type: `failure_analysis:${bead}` });
  const contents = await Promise.all(
    stored.toSorted((a, b) => a.id - b.id).map(({ id }) => store.artifactContent(id)),
  );
  return contents.flatMap((content) => readJson(FailureAnalysis, content) ?? []);
}

/** One line for each earlier iteration, without its notes and transcript. */
async function attemptLines(io: RecordIo, bead: Bead): Promise<string> {
  const failures = (await newestJson(io, `bead_failures:${bead.id}`, Failures))?.failures ?? [];
  const analyses = await analysesOf(io, bead.id);
  const lines = failures.slice(-mostAttempts).map(({ iteration, interrupted, failure }) => {
    const why = interrupted
      ? 'it was interrupted'
      : failure
        ? failureText(failure).reason
        : 'no reason was kept';
    const said = analyses.findLast((analysis) => analysis.iteration === iteration);
    return `- Iteration ${String(iteration)}: ${why}${said ? ` Root cause then: ${said.rootCause.slice(0, 400)} Advice: ${said.recommendation}.` : ''}`;
  });
  return lines.join('\n');
}

const Settled = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('usual') }),
  z.object({ kind: z.literal('skip') }),
  z.object({
    kind: z.literal('ask'),
    choice: z.enum(['retry', 'skip', 'escalate', 'split', 'replan']),
    why: z.string(),
  }),
]);
export type Settled = z.infer<typeof Settled>;

export async function settleAnalysis(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  analysis: FailureAnalysis | null,
): Promise<Settled> {
  if (!analysis) return { kind: 'usual' };
  const { failureAnalysis } = ticketParts(ticket).settings;
  return run.record(`analysed:${bead.id}:${String(bead.iteration)}`, Settled, async (io) => {
    const earlier = (await analysesOf(io, bead.id)).filter(
      (one) => one.iteration < bead.iteration && one.recommendation === 'retry',
    );
    const beads = await io.ports.store.beads(ticket.id);
    return consequenceOf(failureAnalysis, analysis, {
      bead: bead.id,
      beads,
      earlier: earlier.map(({ causeHash }) => causeHash),
    });
  });
}

const longestProblem = 6_000;
const mostFiles = 100;

const phase = 'failure-analysis';

/**
 * Lets personas say why an iteration failed (docs/decisions/138-failure-analysis.md), by another model of the
 * council where there is one. They get no transcript. An interruption isn't analysed, and a failure of the
 * analysis is recorded and passed over.
 */
export const analyseStage: StageHandler<'analyse'> = async (run, ticket, input) => {
  const { bead, interrupted } = input;
  if (interrupted) return { exit: 'skipped', output: { analysis: null } };
  const found = await optionalPhase(run, ticket, { phase, bead }, async () => {
    const party = await consult(run, ticket, input);
    return run.step('analysis', FailureAnalysis, async (io) => keepAnalysis(io, ticket, bead, party));
  });
  return { exit: found ? 'done' : 'skipped', output: { analysis: found ?? null } };
};

function consult(
  run: Run,
  ticket: TicketSnapshot,
  input: StageInput<'analyse'>,
): Promise<PartyResult<AnalysisAnswer>> {
  const { bead } = input;
  let change: Promise<string> | undefined;
  return runParty(run, ticket, {
    key: 'party',
    kind: 'failure',
    phase,
    soloWithOneModel: true,
    call: {
      key: analyseStep,
      contextKey: 'failure_analysis',
      member: reviewerOf(ticketParts(ticket).settings),
      state: { beadData: plannedBead(bead) },
      sections: async (io) => [
        ...(await beadSections(io, ticket, bead, { commit: startOf(bead) })),
        { name: 'attempts', content: await attemptLines(io, bead) },
        { name: 'failed_check', content: failedCheck(input) },
        { name: 'changed_files', content: await changedFiles(io, ticket, input) },
        { name: 'dev_record', content: recordText(input.devRecord) },
        { name: 'attempt_change', content: await (change ??= attemptChange(io, ticket, bead)) },
      ],
      ...notQuoted('failure-analysis', AnalysisAnswer, () =>
        Promise.resolve([
          bead.title,
          bead.description,
          ...bead.acceptanceCriteria,
          failedCheck(input),
          recordText(input.devRecord),
        ]),
      ),
      bead,
    },
  });
}

async function keepAnalysis(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: Bead,
  party: PartyResult<AnalysisAnswer>,
): Promise<FailureAnalysis> {
  const { id, iteration } = bead;
  const voices = party.answers.map(({ voice, answer: said }) => ({ persona: voice.id, ...said }));
  const [first, ...others] = voices;
  if (!first) throw new Error('A party that came to something has a voice.');
  const answer = AnalysisAnswer.parse(mergeAnalyses([first, ...others]));
  const note = partyNote(party);
  const analysis = FailureAnalysis.parse({
    ...answer,
    schema_version: 1,
    bead: id,
    iteration,
    causeHash: causeHash(answer.rootCause),
    analyst: speakersOf(note),
    party: { ...note, voices },
  });
  io.save(artifactChange(ticket, `failure_analysis:${id}`, analysis));
  const left = skipRecords(phase, bead, party.missing);
  const said = { bead: id, iteration, kind: 'failure_analysis', payload: analysis } as const;
  await appendRecord(io, ticket, ...left, said);
  const how = party.mode === 'solo' ? ' (solo)' : '';
  const text = `Failure analysis${how} of ${id}, iteration ${String(iteration)}: ${answer.recommendation}. ${answer.rootCause}`;
  tell(io, text);
  return analysis;
}

/** The reason is left out where the problem speaks of the same command. */
function failedCheck({ failure, problem, checks }: StageInput<'analyse'>): string {
  const command = failure?.args['command'];
  const isSaid = typeof command === 'string' && problem.includes(command);
  const parts = [
    ...(failure && !isSaid ? [failureText(failure).reason] : []),
    ...(failure && failure.tests.length > 0 ? [`Failed tests: ${failure.tests.join(', ')}`] : []),
    ...(checks.length > 0
      ? [`Rejected checks: ${String(checks.length)} (${countsText(progressCounts(checks))}).`]
      : []),
    problem.slice(-longestProblem),
  ];
  return parts.join('\n\n');
}

async function changedFiles(
  io: StepIo,
  ticket: TicketSnapshot,
  { bead }: StageInput<'analyse'>,
): Promise<string> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const committed = await git.compare(startOf(bead), await git.head(worktree));
  const open = await git.status(worktree);
  const files = [...new Set([...committed, ...open].map(({ path }) => path))];
  const more = files.length > mostFiles ? [`… and ${String(files.length - mostFiles)} more`] : [];
  const lines = files.slice(0, mostFiles).map((path) => `- ${path}`);
  return [...lines, ...more].join('\n') || 'No file was changed.';
}

/** The iteration's diff. Only commits can be compared, so the work is kept where the reset will keep it. */
async function attemptChange(io: StepIo, ticket: TicketSnapshot, bead: Bead): Promise<string> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const ref = attemptRef(ticket.id, bead.id, bead.iteration);
  const what = `${ticket.id} ${bead.id}, iteration ${String(bead.iteration)}: what was left`;
  const left = await git.keep(worktree, ref, what);
  return git.diff(worktree, startOf(bead), left);
}

function recordText(record: DevRecord | null): string {
  return record === null ? '' : yamlText(record);
}
