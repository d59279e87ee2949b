import type * as z from 'zod';
import type { ContextState } from '../../src/context/contextState.ts';
import { Bead } from '../../src/domain/beads/bead.ts';
import type { PullRequestReport } from '../../src/domain/beads/reports.ts';
import type { ReviewThread } from '../../src/domain/findings/reviewThread.ts';
import { CommitEvidence } from '../../src/domain/proof/commitEvidence.ts';
import { InterviewSession } from '../../src/domain/requirements/interview.ts';
import type { ApprovalReceipt } from '../../src/domain/workflow/receipts.ts';
import type { AnswersFile } from '../../src/domain/ticket/answersFile.ts';
import type { ArtifactInfo } from '../../src/domain/ticket/artifacts.ts';
import { Ticket } from '../../src/domain/ticket/ticket.ts';
import type { PromptPlan, Usage } from '../../src/domain/usage/promptPlan.ts';
import type { TicketSummary } from '../../src/engine/ports/storePort.ts';
import type { CallView, RunView } from '../../src/protocol/history.ts';

// Whole values of what tests are about: a test names only the fields that it needs.

/** As a store takes it. */
export const newTicket = { prefix: 'TST', atLeast: 1, title: 'A ticket', description: '', priority: 3 };

export function sampleTicket(changes: Partial<Ticket> = {}): Ticket {
  return Ticket.parse({
    id: 'TST-1',
    title: 'Greet people',
    description: '',
    priority: 3,
    status: 'DRAFT',
    previousStatus: null,
    revision: 0,
    attempts: {},
    settings: null,
    limits: null,
    baseBranch: null,
    baseCommit: null,
    branch: null,
    worktree: null,
    entry: { by: 'created', body: null },
    hold: null,
    error: null,
    createdAt: 1,
    updatedAt: 1,
    startedAt: null,
    ...changes,
  });
}

export function sampleSummary(changes: Partial<TicketSummary> = {}): TicketSummary {
  return {
    id: 'TST-1',
    title: 'Greet people',
    status: 'DRAFT',
    previousStatus: null,
    priority: 3,
    hold: null,
    holdUntil: null,
    waitsFor: null,
    continuable: false,
    openGaps: false,
    preparing: false,
    beadsDone: 0,
    beadsTotal: 0,
    coding: null,
    updatedAt: 0,
    ...changes,
  };
}

export function sampleBead(changes: Partial<Bead> = {}): Bead {
  const { id = 'greet' } = changes;
  return Bead.parse({
    id,
    title: `Do ${id}`,
    prdRefs: [],
    description: '',
    contextGuidance: { patterns: [], anti_patterns: [] },
    acceptanceCriteria: ['x'],
    tests: [],
    testCommands: [],
    priority: 1,
    status: 'pending',
    issueType: 'task',
    externalRef: '',
    labels: [],
    dependencies: { blocked_by: [], blocks: [] },
    targetFiles: [],
    notes: '',
    iteration: 1,
    createdAt: '',
    updatedAt: '',
    completedAt: '',
    startedAt: '',
    beadStartCommit: null,
    ...changes,
  });
}

export function sampleArtifact(changes: Partial<ArtifactInfo> = {}): ArtifactInfo {
  return {
    id: 1,
    ticket: 'TST-1',
    type: 'prd',
    version: 1,
    status: 'CODING',
    attempt: 1,
    archived: false,
    sha256: 'a'.repeat(64),
    bytes: 1,
    createdAt: 0,
    ...changes,
  };
}

export function sampleRun(changes: Partial<RunView> = {}): RunView {
  return {
    id: 'r1',
    status: 'CODING',
    label: 'Coding',
    attempt: 1,
    state: 'closed',
    exit: 'coded',
    startedAt: 10,
    endedAt: 20,
    error: null,
    iterations: [],
    ...changes,
  };
}

export function sampleCall(changes: Partial<CallView> = {}): CallView {
  return {
    id: 'c1',
    run: 'r1',
    step: 'ask',
    member: 'a/one',
    prompt: 'coding',
    outcome: 'accepted',
    error: '',
    startedAt: 1,
    endedAt: 2,
    estimatedTokens: 10,
    ...changes,
  };
}

export function samplePlan(changes: Partial<PromptPlan> = {}): PromptPlan {
  return {
    schema_version: 1,
    contextKey: 'coding',
    prompt: 'coding',
    promptSha256: 'a'.repeat(64),
    policy: 'default',
    model: 'a/one',
    budget: 100,
    tokens: 30,
    parts: [],
    reductions: [],
    ...changes,
  };
}

export function sampleUsage(changes: Partial<Usage> = {}): Usage {
  return {
    messageId: 'm1',
    model: 'demo/main',
    input: 100,
    output: 10,
    reasoning: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
    ...changes,
  };
}

/** After its first questions. */
export function sampleInterview(changes: Record<string, unknown> = {}): InterviewSession {
  return InterviewSession.parse({
    schemaVersion: 1,
    winner: 'demo/main',
    maxFollowUps: 2,
    checklist: [],
    asked: [],
    answers: {},
    currentBatch: null,
    summary: null,
    ...changes,
  });
}

export function sampleThread(changes: Partial<ReviewThread> = {}): ReviewThread {
  return {
    id: 'thread-1',
    ticket: 'TST-1',
    revision: 1,
    bead: 'one',
    iteration: null,
    commit: 'a'.repeat(40),
    path: 'src/a.ts',
    line: 3,
    endLine: 4,
    text: '',
    resolved: false,
    comments: [],
    ...changes,
  };
}

export function sampleProof(changes: Partial<CommitEvidence> = {}): CommitEvidence {
  const command = { command: 'npm test', exitCode: 0, signal: null, timedOut: false, durationMs: 1 };
  return CommitEvidence.parse({
    schema_version: 1,
    ticket: 'TST-1',
    of: 'bead',
    bead: 'greet',
    iteration: 1,
    commit: 'c'.repeat(40),
    tree: 'c'.repeat(40),
    made: true,
    commands: [command],
    environment: { bootstrap: [], path_prepend: [], variables: {}, passed: [], withheld: [] },
    tools: {},
    base: null,
    proved_at: '',
    ...changes,
  });
}

export function sampleProposal(changes: Partial<PullRequestReport> = {}): PullRequestReport {
  return {
    schema_version: 1,
    forge: 'local',
    title: 'TST-1: Greet',
    body: 'Greets.',
    bodySha256: 'a'.repeat(64),
    branch: 'ticket/TST-1',
    base: 'main',
    candidate: 'c'.repeat(40),
    location: '/repo/TST-1.md',
    ...changes,
  };
}

/** An empty state. Its keys are in the order of the fixture. */
export const emptyContextState: ContextState = {
  ticketId: '',
  title: '',
  description: '',
  relevantFiles: '',
  interview: '',
  fullAnswers: [],
  prd: '',
  beads: '',
  beadsDraft: '',
  drafts: [],
  votes: [],
  beadData: '',
  beadNotes: [],
  executionSetupProfile: '',
  executionSetupPlan: '',
  executionSetupPlanNotes: [],
  executionSetupNotes: [],
  finalTestNotes: [],
  userAnswers: '',
  tests: '',
  errorContext: '',
};

/** A ticket of the demo’s repository that any model can plan. */
export const secondTicket = { title: 'List low stock first', depth: 'quick' } as const;

/** Answers to the questions about the demo’s ticket. */
export const sampleAnswers: z.input<typeof AnswersFile> = [
  { match: 'Q01', select: 'Spreadsheet' },
  { match: 'Which filters', select: ['category', 'shelf', 'quantity'], text: 'All of them may be combined.' },
  { match: 'Q03', skip: true, reason: 'Whatever is usual; we have no opinion.' },
  { match: 'filter that does not exist', select: 'An error that names it' },
  {
    match: 'QFF1',
    text: 'Suppliers choose the names, and some begin with = or -. Opening the file must never run anything.',
  },
  { match: '*', text: 'Choose the simplest thing that serves the ticket.' },
];

/** Of an environment that needed no preparation. */
export function sampleProfile(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    schema_version: 1,
    ticket_id: 'TST-1',
    artifact: 'execution_setup_profile',
    status: 'ready',
    summary: '',
    temp_roots: [],
    bootstrap_commands: [],
    tooling_probe_commands: [],
    reusable_artifacts: [],
    probes: [],
    cautions: [],
    environment: { path_prepend: [], variables: {} },
    project_commands: {},
    ...fields,
  };
}

/** A person's approval of the document with this hash. */
export function sampleReceipt(hash: string, fields: Partial<ApprovalReceipt>): Record<string, unknown> {
  return {
    schema_version: 1,
    content_sha256: hash,
    stored_content_sha256: hash,
    approved_by: 'user',
    approved_at: '2026-01-01T00:00:00.000Z',
    with_gaps: [],
    reason: '',
    ...fields,
  };
}
