import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import type { ArtifactType } from '../../../src/domain/ticket/artifacts.ts';
import type { Change } from '../../../src/engine/ports/storePort.ts';
import { agentPrompts } from '../../../src/app/createApp.ts';
import { Bead, type BlueprintBead, type DevRecord } from '../../../src/domain/beads/bead.ts';
import { withInverseEdges } from '../../../src/domain/beads/beadPlan.ts';
import { failure } from '../../../src/domain/beads/failure.ts';
import { contextText } from '../../../src/domain/prompts/contextEntries.ts';
import type { Evidence } from '../../../src/domain/core/evidence.ts';
import { describeEvidence } from '../../../src/phases/shared/worktree/commands.ts';
import { newIteration } from '../../../src/domain/beads/iteration.ts';
import type { Claim, Finding } from '../../../src/domain/findings/finding.ts';
import type { Settings } from '../../../src/domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../src/domain/ticket/ticket.ts';
import type { Status } from '../../../src/domain/workflow/workflow.ts';
import type { HandlerDefinition, Run } from '../../../src/engine/run/run.ts';
import { analyseStage } from '../../../src/phases/coding/failure/analyseStage.ts';
import { codeStage } from '../../../src/phases/coding/codeStage.ts';
import { appendNote } from '../../../src/phases/coding/bead/changeBead.ts';
import { fixStage } from '../../../src/phases/coding/review/fixStage.ts';
import { reviewStage } from '../../../src/phases/coding/review/reviewStage.ts';
import { interview } from '../../../src/phases/interview/interview.ts';
import { draftBeads } from '../../../src/phases/plan/blueprint.ts';
import { expandBeads } from '../../../src/phases/plan/beads.ts';
import { draftPrd } from '../../../src/phases/prd/draftPrd.ts';
import { voteCouncil } from '../../../src/phases/shared/panel/voteCouncil.ts';
import type { FakeCall } from '../models/fakeAgent.ts';
import type { PhaseWorld } from './phaseWorld.ts';
import { sampleInterview, sampleProfile } from '../samples.ts';

/** As in `test/fixtures/prompts/ticket.yaml`. */
interface Prepared {
  readonly title: string;
  readonly description: string;
  readonly repository: Readonly<Record<string, string>>;
  readonly decisions: Readonly<Record<'interview' | 'prd' | 'beads', readonly unknown[]>>;
  readonly relevant_files: unknown;
  readonly checklist: readonly unknown[];
  readonly interview: unknown;
  readonly prd: Readonly<Record<string, unknown>>;
  readonly otherPrd: unknown;
  readonly blueprint: readonly BlueprintBead[];
  readonly expansions: readonly Partial<Bead>[];
  readonly firstRecord: DevRecord;
  readonly projectCommands: unknown;
  readonly failed: {
    readonly output: string;
    readonly note: string;
    readonly record: DevRecord;
    readonly change: string;
    readonly hint: string;
  };
  readonly added: string;
  readonly change: string;
  readonly record: DevRecord;
  readonly finding: Claim;
}

export const promptsFolder = join(import.meta.dirname, '../../fixtures/prompts');
const prepared = parse(readFileSync(join(promptsFolder, 'ticket.yaml'), 'utf8')) as Prepared;

const start = 'b'.repeat(40);
const candidate = 'c'.repeat(40);
const left = 'e'.repeat(40);
const command = 'node --test test/csv.test.js';
const documents = { schema_version: 1, ticket_id: 'TST-1' } as const;
const prd = {
  ...documents,
  artifact: 'prd',
  status: 'approved',
  source_interview: { content_sha256: 'd'.repeat(64) },
  ...prepared.prd,
  approval: { approved_by: 'user', approved_at: '2026-01-01T00:00:00.000Z' },
};

let stored: readonly Change[] | undefined;

interface PreparedCall {
  readonly about: string;
  readonly status: Status;
  readonly task: string;
  readonly iteration?: number;
  /** The commit whose work is in the worktree; default: the bead's start. */
  readonly commit?: string;
  readonly ask: (run: Run, ticket: TicketSnapshot) => Promise<unknown>;
}

const handled = ({ run }: HandlerDefinition<string>): PreparedCall['ask'] => run;

/** By the names of their files. */
export const preparedCalls: Readonly<Record<string, PreparedCall>> = {
  'interview-round': {
    about: 'the first round of questions',
    status: 'WAITING_INTERVIEW_ANSWERS',
    task: 'interview-qa',
    ask: handled(interview),
  },
  'prd-draft': {
    about: 'a draft of the PRD',
    status: 'DRAFTING_PRD',
    task: 'prd-draft',
    ask: handled(draftPrd),
  },
  'prd-vote': {
    about: 'the vote on two drafts',
    status: 'COUNCIL_VOTING_PRD',
    task: 'prd-vote',
    ask: handled(voteCouncil),
  },
  'beads-draft': {
    about: 'a draft of the plan',
    status: 'DRAFTING_BEADS',
    task: 'beads-draft',
    ask: handled(draftBeads),
  },
  'beads-expand': {
    about: 'the expansion of the plan',
    status: 'EXPANDING_BEADS',
    task: 'beads-expand',
    ask: handled(expandBeads),
  },
  'code-first': {
    about: 'the second of three beads, first iteration',
    status: 'CODING',
    task: 'coding',
    ask: (run, ticket) => codeStage(run, ticket, newIteration(codedBead(1), 'demo/main', [])),
  },
  'code-again': {
    about: 'the same bead after an iteration that failed and was analyzed',
    status: 'CODING',
    task: 'coding',
    iteration: 2,
    ask: (run, ticket) =>
      codeStage(
        run,
        ticket,
        newIteration(codedBead(2), 'demo/main', [contextText({ id: 'c1', text: prepared.added })]),
      ),
  },
  review: {
    about: 'the review of the bead',
    commit: candidate,
    status: 'CODING',
    task: 'review',
    ask: (run, ticket) => {
      const work = { candidate, tree: start, evidence: [evidence(0, '')], devRecord: prepared.record };
      return reviewStage(run, ticket, { ...newIteration(codedBead(1), 'demo/main', []), ...work });
    },
  },
  fix: {
    about: 'the fix of what the review found',
    commit: candidate,
    status: 'CODING',
    task: 'fix',
    ask: (run, ticket) => {
      const finding: Finding = {
        ...prepared.finding,
        id: 'csv-export.1.1.1',
        standing: 'fix',
        confirmed: false,
        doubt: null,
      };
      const review = { round: 1, candidate, tree: start, findings: [finding] };
      return fixStage(run, ticket, { ...newIteration(codedBead(1), 'demo/main', []), review });
    },
  },
  'failure-analysis': {
    about: 'the analysis of the failed iteration',
    commit: left,
    status: 'CODING',
    task: 'failure-analysis',
    ask: (run, ticket) => {
      const { output, record } = prepared.failed;
      const why = failure('checks_failed', { command, exit: 1 }, { about: output, tests: ['one note'] });
      const ended = { problem: describeEvidence(evidence(1, output)), failure: why, devRecord: record };
      return analyseStage(run, ticket, { ...newIteration(codedBead(1), 'demo/main', []), ...ended });
    },
  },
};

/** Two members, and what gives the most to be told. */
export const preparedSettings: Partial<Settings> = {
  depth: 'full',
  mainImplementer: 'demo/main',
  councilMembers: ['demo/second'],
  review: 'standard',
  failureAnalysis: 'auto',
  partyMode: 'solo',
};

/** Answers the first prompt of its kind with the agent's system prompt. */
export async function preparedPrompt(
  world: PhaseWorld,
  { task, iteration = 1, commit = start, ask }: PreparedCall,
): Promise<{ readonly system: string; readonly call: FakeCall }> {
  await prepare(world, { iteration, commit });
  world.agent.answer = () => ({
    kind: 'unknown_model',
    message: 'Only the prompt is wanted.',
    statusCode: null,
    continuable: false,
  });
  await world
    .drive({
      version: 1,
      run: async (run, ticket) => {
        await ask(run, ticket);
        return { exit: 'never' };
      },
    })
    .catch(() => undefined);
  // Council members are asked side by side, in no order.
  const sent = world.agent.calls.filter((one) => one.task === task);
  const call = sent.find(({ member }) => member === 'demo/main') ?? sent[0];
  if (!call) throw new Error(`The prompt ${task} wasn't sent; these were: ${world.agent.tasks.join(', ')}`);
  return { system: (await agentPrompts(world.prompts))[call.policy], call };
}

/** The note of the iteration before is there from the second on. */
function codedBead(iteration: number): Bead {
  const bead = plan(iteration).find(({ id }) => id === 'csv-export');
  if (!bead) throw new Error('The plan has no bead csv-export');
  return bead;
}

/** The bead before csv-export is done, the one behind it waits. */
function plan(iteration: number): readonly Bead[] {
  const at = '2026-01-01T00:00:00.000Z';
  const states = [
    { status: 'done', startedAt: at, updatedAt: at, completedAt: at, beadStartCommit: 'a'.repeat(40) },
    {
      status: 'in_progress',
      startedAt: at,
      updatedAt: at,
      beadStartCommit: start,
      iteration,
      notes: iteration === 1 ? '' : appendNote('', 'Iteration 1 failed', prepared.failed.note),
    },
    {},
  ];
  const beads = prepared.blueprint.map((bead, index) =>
    Bead.parse({
      priority: index + 1,
      status: 'pending',
      externalRef: 'TST-1',
      notes: '',
      iteration: 1,
      ...bead,
      ...prepared.expansions[index],
      createdAt: at,
      updatedAt: at,
      completedAt: '',
      startedAt: '',
      beadStartCommit: null,
      ...states[index],
      dependencies: { blocks: [], ...prepared.expansions[index]?.dependencies },
    }),
  );
  return withInverseEdges(beads);
}

function artifacts(): Readonly<Record<string, string>> {
  const yaml = (value: unknown): string => stringify(value, { lineWidth: 0 });
  const drafts = [prepared.prd, prepared.otherPrd].map((draft, index) => ({
    member: ['demo/main', 'demo/second'][index],
    outcome: 'completed',
    content: yaml(draft),
    sha256: null,
    error: null,
    metrics: {},
  }));
  const decisions = (all: readonly unknown[]): string => yaml({ schema_version: 1, decisions: all });
  return {
    interview_decisions: decisions(prepared.decisions.interview),
    prd_decisions: decisions(prepared.decisions.prd),
    beads_decisions: decisions(prepared.decisions.beads),
    relevant_files: yaml(prepared.relevant_files),
    interview_session: yaml(sampleInterview({ checklist: prepared.checklist })),
    interview: yaml(prepared.interview),
    prd_drafts: yaml({ schema_version: 1, drafts }),
    prd: yaml(prd),
    beads_winner: yaml({ schema_version: 1, winner: 'demo/main', totals: {}, tie: false }),
    beads_blueprint: yaml({ beads: prepared.blueprint }),
    execution_setup_profile: JSON.stringify(
      sampleProfile({ ...documents, project_commands: prepared.projectCommands }),
    ),
    'bead_execution:csv-field': JSON.stringify({
      schema_version: 1,
      outcome: 'accepted',
      marker: null,
      devRecord: prepared.firstRecord,
      evidence: [],
      tree: null,
      reason: '',
      checkpoint: {
        beadId: 'csv-field',
        iteration: 1,
        startedAt: '',
        updatedAt: '',
        beadStartCommit: 'a'.repeat(40),
      },
    }),
    'failure_analysis:csv-export': JSON.stringify(analysis),
  };
}

async function prepare(
  world: PhaseWorld,
  { iteration, commit }: { readonly iteration: number; readonly commit: string },
): Promise<void> {
  const { title, description, repository } = prepared;
  stored ??= Object.entries(artifacts()).map(([artifact, content]): Change => {
    return { type: 'artifact', artifact: artifact as ArtifactType, content, status: 'DRAFT', attempt: 1 };
  });
  const beads =
    (await world.ticket()).status === 'CODING' ? [{ type: 'beads', beads: plan(iteration) } as const] : [];
  await world.change({ type: 'ticket', set: { title, description } }, ...stored, ...beads);
  const written = commit === candidate ? prepared.change : commit === left ? prepared.failed.change : '';
  const files = {
    ...repository,
    ...(written === '' ? {} : { 'src/csv.js': addedText(written), 'test/csv.test.js': tests }),
  };
  const filesAt = (at: string): Readonly<Record<string, string>> => (at === commit ? files : repository);
  const changes = [{ path: 'src/csv.js' }, { path: 'test/csv.test.js' }];
  Object.assign(world.git, {
    regularFiles: (at: string, paths?: readonly string[]) =>
      Promise.resolve(Object.keys(filesAt(at)).filter((path) => paths?.includes(path) !== false)),
    blobs: (at: string, paths: readonly string[]) =>
      Promise.resolve(
        paths.map((path) =>
          Object.hasOwn(filesAt(at), path) ? new TextEncoder().encode(filesAt(at)[path]) : undefined,
        ),
      ),
    filesNaming: (at: string, words: readonly string[]) =>
      Promise.resolve(
        Object.entries(filesAt(at)).flatMap(([path, text]) =>
          words.some((word) => text.includes(word)) ? [path] : [],
        ),
      ),
    checkOutScratch: () => Promise.resolve({ path: '/scratch', created: false }),
    diff: () => Promise.resolve(written.trimEnd()),
    compare: () => Promise.resolve(changes),
    status: () => Promise.resolve([]),
    keep: () => Promise.resolve(commit),
  });
}

const tests = "import { toCsv } from '../src/csv.js';\n";

function addedText(patch: string): string {
  return Array.from(patch.matchAll(/^\+(?!\+\+)(.*\n)/gm), ([, line = '']) => line).join('');
}

function evidence(exitCode: number, output: string): Evidence {
  const ran = { cwd: '/', signal: null, timedOut: false, durationMs: 300 };
  return { command, exitCode, ...ran, outputBytes: output.length, head: output, tail: '' };
}

const assessments = {
  architecture: 'Fine.',
  implementation: 'Wrong line ends.',
  requirements: 'Clear.',
  environment: 'Fine.',
};
const analysis = {
  schema_version: 1,
  bead: 'csv-export',
  iteration: 1,
  analyst: 'demo/second',
  causeHash: 'e',
  assessments,
  rootCause: 'Rows are joined with \\n.',
  plan: [],
  recommendation: 'retry',
  rationale: 'It is one character.',
  confidence: 0.9,
  retryHint: prepared.failed.hint,
};
