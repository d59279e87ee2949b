import type { Bead } from '../../../src/domain/beads/bead.ts';
import { BatchQuestion } from '../../../src/domain/requirements/interview.ts';
import type { DecidedCouncil } from '../../../src/protocol/council/councilReport.ts';
import type { ApprovalState, ShownDocument } from '../../../src/protocol/pages/approval.ts';
import type { ResultOf } from '../../../src/protocol/pages/frame.ts';
import type { InterviewState } from '../../../src/protocol/pages/interview.ts';
import type { FindingRow } from '../../../src/protocol/pages/reviews.ts';
import type { ticketPage, TicketState } from '../../../src/protocol/pages/ticket.ts';
import { storedInterview, storedPrd, storedSetup } from '../../unit/views/pages/approvalDocuments.ts';
import { sampleBead } from '../samples.ts';

/** No word has a vowel: whatever has one is the page's own. */

const ticket = { id: 'TST-1', title: 'XXX' };
const sha256 = 'c'.repeat(64);

export function interviewOfX(): InterviewState {
  const question = (id: string, more: object = {}) => ({
    ...BatchQuestion.parse({ id, question: 'XXX', ...more }),
    batch: 1,
  });
  const answer = {
    skipped: true,
    selected_option_ids: [],
    free_text: '',
    answered_by: 'user' as const,
    answered_at: '',
  };
  return {
    phase: 'asking',
    problem: '',
    expected: 3,
    batch: { number: 1, commentary: 'XXX', openIds: ['Q1', 'Q2'] },
    questions: [
      {
        ...question('Q1', {
          priority: 'critical',
          rationale: 'XXX',
          answer_type: 'yes_no',
          options: [{ id: 'yes', label: 'Yes' }],
        }),
        answer: null,
      },
      {
        ...question('Q2', {
          priority: 'low',
          answer_type: 'multiple_choice',
          options: [{ id: 'x', label: 'XXX' }],
        }),
        answer: null,
      },
      { ...question('Q3'), answer },
    ],
    notAsked: {
      settled: [{ id: 'Q4', prompt: 'XXX', reason: 'XXX' }],
      merged: [{ id: 'Q5', prompt: 'XXX', into: 'Q1' }],
      trimmed: [{ id: 'X9', prompt: 'XXX', priority: 'low' }],
    },
  };
}

const ledgerOfX = {
  schema_version: 1 as const,
  winner: 'x/x',
  soloWouldDo: true,
  members: [
    {
      member: 'x/x',
      calls: 1,
      ms: 1_000,
      input: 1,
      output: 1,
      cost: 1,
      isShared: true,
      texts: 1,
      survived: 1,
      examples: ['XXX'],
    },
  ],
};
const councilOfX: DecidedCouncil = {
  domain: 'prd',
  winner: 'x/x',
  tie: true,
  totals: { 'x/x': 1 },
  drafts: [{ member: 'x/x', outcome: 'timed_out', error: 'XXX' }],
  votes: [{ voter: 'x/x', outcome: 'failed', error: 'XXX', scores: { 'x/x': { sum: 1, reason: 'XXX' } } }],
  opinions: [
    {
      draft: 'x/x',
      category: 'risks',
      mean: 1,
      spread: 1,
      dissent: ['x/x'],
      voices: [{ voter: 'x/x', score: 1, reason: 'XXX', quoted: false }],
    },
  ],
  checks: { 'x/x': ['XXX'] },
  fewer: { decided: 1, wanted: 2 },
  ledger: ledgerOfX,
  changes: [{ type: 'modified', before: 'XXX', after: 'XXX', inspiredBy: 'x/x' }],
};

export function approvalOfX(artifact: ShownDocument['artifact']): ApprovalState {
  const values: Readonly<Partial<Record<ShownDocument['artifact'], unknown>>> = {
    interview: storedInterview(),
    prd: storedPrd(),
    execution_setup_plan: storedSetup(),
    beads: beadsOfX(),
  };
  const document: ShownDocument = {
    artifact,
    version: 2,
    sha256,
    value: withoutVowels(values[artifact]),
    problem: '',
    edit: 'rewind',
    hidden: { count: 1, texts: ['XXX'] },
    gaps: ['XXX'],
    council: councilOfX,
    notes: [{ text: 'XXX', args: [] }],
    earlier: [{ version: 1, sha256, at: Date.now() }],
    fullAnswers: artifact === 'prd' ? withoutVowels(storedInterview()) : null,
  };
  return {
    held: true,
    gate: artifact,
    together: [artifact],
    sha256,
    working: true,
    can: { approve: true, fixGaps: true, checkAgain: true, regenerate: true, planInFull: false },
    regenerates: 'XXX',
    documents: [document],
  };
}

/** With one of everything. */
export function ticketOfX(): TicketState {
  const now = Date.now();
  const request = { id: 'x1', source: 'x/x', since: now, until: now + 7_200_000, may: 'XXX', refusal: 'XXX' };
  const question = {
    header: 'XXX',
    text: 'XXX',
    options: [{ label: 'XXX', description: '' }],
    multiple: true,
    custom: true,
  };
  const bead = {
    id: 'x-1',
    title: 'XXX',
    label: 'XXX',
    iteration: 2,
    startedAt: now,
    completedAt: null,
    blockedBy: ['x-2'],
    hasEvidence: true,
    stage: 'XXX',
  };
  const iteration = {
    bead: 'x-1',
    iteration: 1,
    state: 'closed' as const,
    exit: 'rejected',
    outcome: 'XXX',
    stages: [{ label: 'XXX', state: 'done' as const, outcome: 'XXX', ms: 1 }],
  };
  const comments = { drafts: 1, sent: 2, resolved: 3 };
  const findings = { total: 2, open: 1, fixed: 1, dismissed: 1 };
  const run = {
    id: 'x',
    label: 'XXX',
    attempt: 2,
    state: 'closed' as const,
    outcome: 'XXX',
    startedAt: now,
    endedAt: now,
    error: null,
  };
  const item = {
    id: 'x',
    behavior: 'XXX',
    severity: 'optional' as const,
    prerequisites: ['XXX'],
    actions: ['XXX'],
    expectedResult: 'XXX',
  };
  return {
    head: {
      ...ticket,
      description: '',
      label: 'XXX',
      mood: 'working',
      hold: { name: 'XXX', detail: 'XXX', since: now, until: now },
      facts: [
        { name: 'worktree', label: 'XXX', text: '/x', isCode: true },
        { name: 'started', label: 'XXX', at: now },
      ],
      forgeNews: ['XXX'],
      models: ['x/x'],
      unsandboxed: 'XXX',
      nearCaps: ['XXX'],
      cacheMisses: ['XXX'],
    },
    actions: [{ name: 'retry', label: 'XXX', detail: 'XXX', icon: 'x', part: null }],
    due: 'review',
    plan: { files: 2, commands: ['x', 'xx', 'xxx'] },
    error: {
      code: 'XXX',
      message: 'XXX',
      nextStep: 'XXX',
      tests: ['XXX'],
      output: 'XXX',
      diagnostics: 'XXX',
      raise: 'retry',
      isPaused: false,
      failed: failedOfX,
    },
    requests: [
      { ...request, content: { kind: 'question', questions: [question] } },
      {
        ...request,
        id: 'x2',
        content: { kind: 'permission', permission: 'x', patterns: ['x'], command: 'x' },
      },
    ],
    bands: [{ name: 'x', label: 'XXX', runs: [{ ...run, iterations: [iteration] }] }],
    beads: [
      {
        ...bead,
        status: 'in_progress',
        ended: [{ iteration: 1, exit: 'rejected' }],
        diff: null,
        review: null,
        comments,
        findings,
      },
      { ...bead, id: 'x-2', status: 'done', ended: [], diff: sha256, review: null, comments, findings },
      { ...bead, id: 'x-3', status: 'pending', ended: [], diff: null, review: null, comments, findings },
    ],
    beadActions: { accept: true, reject: true },
    councils: ['prd'],
    hasFailures: true,
    hasFindings: true,
    talk: talkOfX,
    context: contextOfX,
    canSteer: true,
    hasPasses: true,
    hasReview: true,
    stamp: 'x',
    planStamp: 'x',
    qa: { schema_version: 1, round: 1, items: [{ ...item, title: 'XXX', beadRefs: [], prdRefs: [] }] },
  };
}

const failedOfX: NonNullable<TicketState['error']>['failed'] = {
  bead: 'x-1',
  analysis: { rootCause: 'XXX', rationale: 'XXX', plan: ['XXX'], label: 'XXX', confidence: 1 },
  proposed: [{ id: 'x', title: 'XXX' }],
  sha256,
  choices: [{ choice: 'approve', label: 'XXX', icon: 'x' }],
};

const contextOfX: TicketState['context'] = (['queued', 'delivered'] as const).map((state) => ({
  id: state,
  text: 'XXX',
  author: 'x',
  mode: 'once',
  state,
  at: 1,
  deliveredIn: [{ bead: 'x-1', iteration: 1 }],
}));

const talkOfX: TicketState['talk'] = {
  bead: 'x-1',
  iteration: 1,
  label: 'XXX',
  since: 1,
  answeredAt: 1,
  speaking: ['xxx'],
  tokens: 1,
  cost: 1,
  answers: (['accepted', 'failed'] as const).map((outcome) => ({
    id: outcome,
    speaker: 'x',
    member: 'x/x',
    outcome,
    gist: 'XXX',
    ms: 1,
    tokens: 1,
    cost: 1,
  })),
};

type Answers = { readonly [M in keyof (typeof ticketPage)['requests']]?: ResultOf<typeof ticketPage, M> };

const callOfX = {
  id: 'x',
  prompt: 'xxx',
  iteration: 1,
  startedAt: 1,
  cacheRead: 1,
  cacheWrite: 1,
  input: 1,
  output: 1,
  estimated: false,
};
const barsOfX = { bead: 'x-1', calls: [callOfX, { ...callOfX, id: 'y', estimated: true }], total: 3 };

/** `plan`: the document that waits for approval; default: the interview's questions are open. */
export function answersOfX(plan?: ShownDocument['artifact']): Answers {
  const now = Date.now();
  const sums = {
    answers: 1,
    input: 1,
    cacheRead: 1,
    cacheWrite: 1,
    output: 1,
    reasoning: 1,
    tokens: 5,
    money: null,
    unpriced: 1,
    counted: 0,
  };
  const ran = { command: 'x', exitCode: 1, signal: null, timedOut: true, durationMs: 7_200_000 };
  const test = { ...ran, output: '' };
  const call = {
    id: 'x',
    label: 'XXX',
    step: 'x',
    member: 'x/x',
    prompt: 'XXX',
    outcome: 'failed' as const,
    error: 'XXX',
  };
  const part = { text: 'XXX', isCut: true };
  const commit = 'c'.repeat(40);
  const proved = {
    ...ran,
    knownFailures: ['x'],
    flaky: true,
    flakyTests: ['x'],
    without: { tree: commit, exitCode: 1 },
    counts: { ran: 1, passed: 0, failed: 1, skipped: 1 },
  };
  const proof = {
    of: 'bead' as const,
    bead: 'x-1',
    commit,
    tree: commit,
    made: false,
    proved_at: 'x',
    weakened: {
      accepted_at: 'x',
      weakenings: [{ kind: 'skipped' as const, path: 'x', line: 1, text: 'XXX' }],
    },
  };
  const attempt = {
    iteration: 1,
    interrupted: false,
    reason: 'XXX',
    advice: 'XXX',
    tests: ['XXX'],
    output: 'XXX',
    note: 'XXX',
  };
  const piece = { at: now, source: 'x', text: 'XXX', bead: 'x-1', iteration: 1 };
  const toolCall = {
    tool: 'bash',
    state: 'failed' as const,
    path: 'x',
    about: 'XXX',
    command: 'x',
    output: 'XXX',
    added: 1,
    deleted: 1,
    todos: (['open', 'active', 'done', 'dropped'] as const).map((state) => ({ text: 'XXX', state })),
  };
  const changed = { path: 'x', oldPath: null, change: 'modified' as const, binary: false };
  return {
    transcript: {
      pieces: [
        { ...piece, kind: 'status', bead: undefined, iteration: undefined },
        { ...piece, kind: 'text', part: 'x', offset: 0 },
        { ...piece, kind: 'reasoning', part: 'xx', offset: 1 },
        { ...piece, kind: 'tool', part: 'xxx', call: toolCall },
        { ...piece, kind: 'command', call: { tool: 'command', state: 'running', command: 'x' } },
        { ...piece, kind: 'step', tone: 'bad' },
        { ...piece, kind: 'step', tone: 'begins', iteration: 2 },
      ],
      earlier: 1,
    },
    changed: { files: [{ ...changed, added: 1, deleted: 1 }], total: 200 },
    review: {
      title: 'XXX',
      body: 'XXX',
      branch: 'x',
      base: 'x',
      threads: [
        {
          id: 'r1',
          outdated: true,
          place: 'x:1',
          state: 'open',
          canResolve: true,
          isStranger: true,
          sha256: 'x',
          comments: [{ author: 'XXX', at: 'x', text: 'XXX', isCut: true }],
        },
      ],
      threadsLeft: 1,
      tests: [test],
      regression: [test],
      leftOut: [{ bead: 'x', path: 'x' }],
    },
    findings: findingsOfX(),
    passes: [
      {
        bead: 'x-1',
        iteration: 1,
        pass: 1,
        min: 1,
        max: 2,
        outcome: 'rejected',
        end: 'stuck',
        at: 'x',
      },
    ],
    evidence: [
      { ...proof, commands: [proved, { ...proved, knownFailures: [], flakyTests: [], timedOut: false }] },
      { ...proof, of: 'final_test', bead: null, commands: [] },
    ],
    failures: [
      { ...attempt, of: 'bead', bead: 'x-1', ref: 'x' },
      { ...attempt, of: 'setup', bead: null, ref: '', reason: '' },
    ],
    viewed: {},
    beadFiles: { files: [{ ...changed, viewed: true, comments: 1, commands: [proved] }], total: 2 },
    log: { lines: [{ number: 1, at: now, source: 'x', level: 'info', text: 'XXX' }], earlier: 1 },
    calls: {
      calls: [{ ...call, startedAt: now, endedAt: now, estimatedTokens: 1 }],
      total: 2,
      isPreviewDue: true,
    },
    call: { input: part, output: part, plan: part },
    councils: [councilOfX],
    links: {
      questions: [{ id: 'x', text: 'XXX', stories: [], note: 'XXX' }],
      criteria: [
        { id: 'x1', text: 'XXX', story: 'x', questions: ['x'], beads: ['x-1', 'x-2'] },
        { id: 'x2', text: 'XXX', story: 'x', questions: [], beads: [] },
      ],
      beads: [
        {
          id: 'x-1',
          title: 'XXX',
          criteria: ['x1'],
          commands: ['x'],
          reason: '',
          evidence: { commit: 'x', tests: ['x'] },
        },
        { id: 'x-2', title: 'XXX', criteria: ['x1'], commands: [], reason: 'XXX' },
        { id: 'x-3', title: 'XXX', criteria: [], commands: ['x'], reason: '' },
      ],
      holes: [{ kind: 'bead', id: 'x2' }],
    },
    effort: { calls: 2, money: 1 },
    estimate: { calls: { low: 1, high: 2 }, money: { low: 1, high: 2 } },
    interview: plan ? null : interviewOfX(),
    documents: plan
      ? approvalOfX(plan)
      : { ...approvalOfX('interview'), gate: null, together: [], sha256: null, documents: [] },
    tokens: {
      phases: [{ ...sums, key: 'XXX' }],
      models: [{ ...sums, key: 'XXX' }],
      beads: [barsOfX],
      total: sums,
    },
  };
}

function findingsOfX(): ResultOf<typeof ticketPage, 'findings'> {
  const finding: FindingRow = {
    id: 'x',
    severity: 'high' as const,
    category: 'XXX',
    file: 'x',
    line: 1,
    claim: 'XXX',
    evidence: 'x',
    suggestedFix: 'XXX',
    test: { file: 'x', command: 'x' },
    state: 'open' as const,
    confidence: 1,
    standing: 'fix',
    confirmed: true,
    personas: ['x'],
    ballots: [{ persona: 'x', vote: 'confirm', reason: 'XXX' }],
    doubt: 'not_read',
    decision: null,
    pending: 'accept',
    canDecide: true,
    sha256,
  };
  const party = {
    mode: 'solo' as const,
    participants: [{ id: 'x', name: 'X', title: 'XXX', icon: '', member: 'x/x' }],
    missing: [{ id: 'x', reason: 'XXX' }],
  };
  const review = { iteration: 1, round: 1, reviewer: 'x/x', at: 'x', checked: ['XXX'], party };
  const reviews = [
    {
      ...review,
      findings: [finding, { ...finding, id: 'x2', decision: { verdict: 'dismiss' as const, reason: 'XXX' } }],
    },
    { ...review, round: 2, checked: ['XXX', 'XXX'], findings: [] },
  ];
  const counts = { reviews: 1, raised: 1, founded: 1, confirmed: 1, fixed: 1, dismissed: 1 };
  return { beads: [{ bead: 'x-1', title: 'XXX', reviews }], reviewers: [{ reviewer: 'x/x', ...counts }] };
}

function beadsOfX(): readonly Bead[] {
  const bead = (
    id: string,
    status: Bead['status'],
    blocked_by: readonly string[],
    blocks: readonly string[],
  ): Bead =>
    sampleBead({
      id,
      title: 'XXX',
      prdRefs: ['X'],
      description: 'XXX',
      contextGuidance: { patterns: ['X'], anti_patterns: ['X'] },
      acceptanceCriteria: ['XXX'],
      tests: ['XXX'],
      testCommands: ['xxx'],
      status,
      labels: ['x'],
      dependencies: { blocked_by: [...blocked_by], blocks: [...blocks] },
      targetFiles: ['x'],
    });
  return [bead('x-1', 'done', [], ['x-2']), bead('x-2', 'in_progress', ['x-1'], [])];
}

/** Words that the schemas know stay. */
function withoutVowels(value: unknown, key = ''): unknown {
  const known = [
    'status',
    'artifact',
    'phase',
    'source',
    'answer_type',
    'answered_by',
    'canonicalization',
    'issueType',
  ];
  if (Array.isArray(value)) return value.map((item) => withoutVowels(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutVowels(part, name)]));
  return typeof value === 'string' && !known.includes(key) ? value.replaceAll(/[aeiouy]/gi, 'x') : value;
}
