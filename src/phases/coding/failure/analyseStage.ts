import type { DevRecord } from '../../../domain/beads/bead.ts';
import { AnalysisAnswer, causeHash, FailureAnalysis, mergeAnalyses } from '../../../domain/beads/analysis.ts';
import { failureText } from '../../../domain/beads/failure.ts';
import { countsText, progressCounts } from '../../../domain/beads/progress.ts';
import { attemptRef } from '../../../domain/core/ids.ts';
import { reviewerOf } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { StageInput } from '../../../domain/beads/beadStages.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import type { StageHandler } from '../../../engine/run/stage.ts';
import { artifactChange, yamlText } from '../../shared/ticket/artifacts.ts';
import { ticketParts } from '../../shared/ticket/ticketParts.ts';
import { optionalPhase, phaseBounds } from '../../shared/optionalPhase.ts';
import { partyNote, type PartyResult, runParty } from '../../shared/party/runParty.ts';
import { appendRecord, type Told } from '../../shared/ticket/records.ts';
import { analyseStep } from '../../shared/worktree/sessions.ts';
import { notQuoted } from '../../shared/structured/notQuoted.ts';
import { parseStructured } from '../../shared/structured/parseStructured.ts';
import { attemptLines } from './analysis.ts';
import { startOf } from '../bead/candidate.ts';
import { plannedBead } from '../bead/changeBead.ts';
import { beadSections } from '../context/beadContext.ts';

/** The end of what was wrong, and the list of changed files, as an analyst gets them. */
const longestProblem = 6_000;
const mostFiles = 100;

const phase = 'failure-analysis';

/**
 * Lets personas say why an iteration failed and what should happen (docs/decisions/138-failure-analysis.md),
 * by another model of the council where there is one. They read what the iteration left, and get the failure,
 * the change, the coder's record and one line for each earlier iteration, but no transcript. An interruption
 * isn't analysed. A failure of the analysis itself is recorded and passed over.
 */
export const analyseStage: StageHandler<'analyse'> = async (run, ticket, input) => {
  const { bead, interrupted } = input;
  if (interrupted) return { exit: 'skipped', output: { analysis: null } };
  const found = await optionalPhase(run, ticket, { phase, bead }, async () => {
    const party = await consult(run, ticket, input);
    return run.step('analysis', FailureAnalysis, async (io) => keepAnalysis(io, ticket, bead, party));
  });
  return found
    ? { exit: 'done', output: { analysis: found } }
    : { exit: 'skipped', output: { analysis: null } };
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
    soloWithOneModel: true,
    question: {
      key: analyseStep,
      contextKey: 'failure_analysis',
      prompt: 'failure-analysis',
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
      parse: notQuoted(parseStructured({ schema: AnalysisAnswer }), 'failure-analysis', () =>
        Promise.resolve([
          bead.title,
          bead.description,
          ...bead.acceptanceCriteria,
          failedCheck(input),
          recordText(input.devRecord),
        ]),
      ),
      result: AnalysisAnswer,
      bead: { id: bead.id, iteration: bead.iteration },
      ...phaseBounds(run.limits, phase),
    },
  });
}

/** Merges what was said, and keeps it with its record, in one step. */
async function keepAnalysis(
  io: StepIo,
  ticket: TicketSnapshot,
  { id, iteration }: StageInput<'analyse'>['bead'],
  party: PartyResult<AnalysisAnswer>,
): Promise<FailureAnalysis> {
  const voices = party.voices.map(({ participant, answer: { value } }) => ({
    persona: participant.id,
    ...value,
  }));
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
    analyst: [...new Set(note.participants.map(({ member }) => member))].join(', '),
    party: { ...note, voices },
  });
  io.save(artifactChange(ticket, `failure_analysis:${id}`, analysis));
  const at = { bead: id, iteration };
  const left = party.missing.map(({ participant, code, reason }): Told => {
    return { ...at, kind: 'skip', payload: { phase, persona: participant.id, code, reason } };
  });
  await appendRecord(io, ticket, ...left, { ...at, kind: 'failure_analysis', payload: analysis });
  const how = party.mode === 'solo' ? ' (solo)' : '';
  const text = `Failure analysis${how} of ${id}, iteration ${String(iteration)}: ${answer.recommendation}. ${answer.rootCause}`;
  io.ports.events.emit({
    type: 'activity',
    ticket: ticket.id,
    at: io.ports.clock.now(),
    source: 'engine',
    kind: 'info',
    text,
  });
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

/** Lists the files that the iteration changed since its start, committed or not. */
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

/**
 * Returns what the iteration changed, as a unified diff. The work is kept where the reset will keep it, since
 * only commits can be compared; the same work is kept once.
 */
async function attemptChange(
  io: StepIo,
  ticket: TicketSnapshot,
  bead: StageInput<'analyse'>['bead'],
): Promise<string> {
  const { git } = io.ports;
  const { worktree } = ticketParts(ticket);
  const ref = attemptRef(ticket.id, bead.id, bead.iteration);
  const left = await git.keep(
    worktree,
    ref,
    `${ticket.id} ${bead.id}, iteration ${String(bead.iteration)}: what was left`,
  );
  return git.diff(worktree, startOf(bead), left);
}

/** Returns what the coder of the iteration said of its work. It is a claim like its report. */
function recordText(record: DevRecord | null): string {
  return record === null ? '' : yamlText(record);
}
