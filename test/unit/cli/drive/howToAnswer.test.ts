import assert from 'node:assert/strict';
import { howToAnswer } from '../../../../src/cli/drive/finish.ts';
import {
  engineSource,
  type PendingRequest,
  type RequestContent,
} from '../../../../src/domain/ticket/agentRequest.ts';
import type { ErrorCode, ErrorRecord } from '../../../../src/domain/core/errors.ts';
import type { Hold } from '../../../../src/domain/ticket/ticket.ts';
import { actionNames } from '../../../../src/domain/workflow/actions.ts';
import { forgeState } from '../../../support/forge/forgeState.ts';
import { ticketDetail, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';

const place = { cwd: '/sample/src', root: '/sample' };
/** What a person can type where a ticket stands; every action is possible unless said otherwise. */
const answers = (changes: TicketChanges, at = place): readonly string[] =>
  howToAnswer(ticketDetail({ actions: actionNames, ...changes }), at);
const held = (kind: Hold['kind'], content?: RequestContent, source = 'demo/main'): TicketChanges => {
  const request: PendingRequest | undefined = content && { id: 'r', source, since: 0, until: 1, content };
  return { ticket: { status: 'CODING', hold: { kind, since: 0, detail: '', ...(request && { request }) } } };
};
const errorOf = (code: ErrorCode, diagnostics: ErrorRecord['diagnostics'] = {}): ErrorRecord => ({
  code,
  args: {},
  continuable: false,
  diagnostics,
});
const blocked = (error: ErrorRecord): TicketChanges => ({
  ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error },
});
const question = (...labels: string[]): RequestContent => ({
  kind: 'question',
  questions: [
    {
      header: 'Tone',
      text: 'Shall it shout?',
      options: labels.map((label) => ({ label, description: '' })),
      multiple: false,
      custom: true,
    },
  ],
});
const permission: RequestContent = { kind: 'permission', permission: 'bash', patterns: [], command: 'ls' };

describe('how a person answers on the command line', () => {
  for (const [where, changes, expected] of [
    ['a draft', { ticket: { status: 'DRAFT' } }, ['start TST-1 --model PROVIDER/MODEL']],
    [
      'the questions of an interview',
      { ticket: { status: 'WAITING_INTERVIEW_ANSWERS' } },
      ['answer TST-1 QUESTION=ANSWER …', 'skip TST-1', 'plan-in-full TST-1'],
    ],
    [
      'the approval of a PRD',
      { ticket: { status: 'WAITING_PRD_APPROVAL' }, gate: { artifact: 'prd', sha256: 'a' } },
      [
        'show TST-1 prd',
        'approve TST-1 --reason "why the gaps may stay"',
        'edit TST-1 prd --file FILE',
        'fix-gaps TST-1',
        'check-again TST-1',
        'regenerate TST-1 --note "what to do differently"',
        'plan-in-full TST-1',
      ],
    ],
    [
      'the approval of beads',
      { ticket: { status: 'WAITING_BEADS_APPROVAL' }, actions: ['approve'] },
      ['beads get TST-1', 'approve TST-1'],
    ],
    [
      'manual QA',
      { ticket: { status: 'WAITING_MANUAL_QA' } },
      ['qa TST-1 ITEM=pass ITEM="fail: what you saw" …', 'skip TST-1 --reason "why"'],
    ],
    [
      'the review',
      { ticket: { status: 'WAITING_PR_REVIEW' } },
      [
        'merge TST-1',
        'create-pull-request TST-1',
        'check-pull-request TST-1',
        'rerun-checks TST-1',
        'fix-checks TST-1',
        'merge-pull-request TST-1',
        'unplan-merge TST-1',
        'close-pull-request TST-1',
        'update-base TST-1',
        'close TST-1',
        'changes TST-1 "what to change"',
      ],
    ],
    [
      'the review of a pull request with open comments',
      {
        ticket: {
          status: 'WAITING_PR_REVIEW',
          forge: { ...forgeState(), threads: { open: 2, sha256: 'a'.repeat(64) } },
        },
        actions: ['check_pull_request', 'fix_comment', 'reply_comment'],
      },
      [
        'show TST-1 --comments',
        'check-pull-request TST-1',
        'fix-comment TST-1 --comment ID',
        'reply-comment TST-1 --comment ID --text TEXT',
      ],
    ],
    ['the end', { ticket: { status: 'COMPLETED' }, actions: [] }, []],
    ['a status that works', { ticket: { status: 'CODING' } }, []],
    [
      'a question with options',
      held('question', question('Yes', "I don't know")),
      [
        'allow TST-1',
        'deny TST-1',
        'reply TST-1 Yes',
        "reply TST-1 'I don'\\''t know'",
        'reply TST-1 "your answer"',
        'reply TST-1 --decide',
        'resume TST-1',
      ],
    ],
    [
      'a question of the engine, which no agent decides',
      { ...held('question', question('Send'), engineSource), actions: ['question_reply'] },
      ['reply TST-1 Send', 'reply TST-1 "your answer"'],
    ],
    [
      'a permission',
      { ...held('permission', permission), actions: ['permission_reply'] },
      ['allow TST-1', 'deny TST-1'],
    ],
    [
      'a permission that can’t be shown whole',
      { ...held('permission', { ...permission, cut: true }), actions: ['permission_reply'] },
      ['deny TST-1'],
    ],
    ['a pause', { ...held('paused'), actions: ['resume', 'cancel'] }, ['resume TST-1', 'cancel TST-1']],
    [
      'a budget that is used up',
      {
        ticket: {
          status: 'CODING',
          hold: { kind: 'budget', since: 0, detail: '' },
          error: errorOf('BUDGET_EXHAUSTED', { limit: 'tokenCap' }),
        },
        actions: ['limits', 'resume'],
      },
      ['limits TST-1 --token-cap MORE', 'resume TST-1'],
    ],
    [
      'a base that moved',
      { ...blocked(errorOf('BASE_BRANCH_MISSING')), actions: ['update_base', 'retry', 'cancel'] },
      [
        'update-base TST-1',
        'update-base TST-1 --base BRANCH',
        'update-base TST-1 --keep',
        'retry TST-1 --note "what to do differently"',
        'cancel TST-1',
      ],
    ],
    [
      'an error that can be continued',
      { ...blocked(errorOf('GIT_FAILED')), actions: ['continue', 'retry', 'cancel'] },
      ['continue TST-1', 'retry TST-1 --note "what to do differently"', 'cancel TST-1'],
    ],
    [
      'a change of the plan that is proposed',
      { ...blocked(errorOf('PLAN_CHANGE_PROPOSED', { bead: 'greet' })), actions: ['follow_analysis'] },
      ['follow TST-1 greet approve', 'follow TST-1 greet retry'],
    ],
  ] as readonly (readonly [string, TicketChanges, readonly string[]])[])
    it(`at ${where}`, () => {
      assert.deepEqual(
        answers(changes),
        expected.map((words) => `beadsmith ${words}`),
      );
    });

  it('offers only what can be done', () => {
    for (const [action, words] of [
      ['merge', 'merge TST-1'],
      ['create_pull_request', 'create-pull-request TST-1'],
      ['check_pull_request', 'check-pull-request TST-1'],
      ['merge_pull_request', 'merge-pull-request TST-1'],
      ['unplan_merge', 'unplan-merge TST-1'],
      ['update_base', 'update-base TST-1'],
      ['close', 'close TST-1'],
      ['changes', 'changes TST-1 "what to change"'],
    ] as const)
      assert.deepEqual(answers({ ticket: { status: 'WAITING_PR_REVIEW' }, actions: [action] }), [
        `beadsmith ${words}`,
      ]);
  });

  it('names the repository where a person isn’t in it', () => {
    const review: TicketChanges = { ticket: { status: 'WAITING_PR_REVIEW' }, actions: ['close'] };
    assert.deepEqual(answers(review, { cwd: '/sample', root: '/sample' }), ['beadsmith close TST-1']);
    assert.deepEqual(answers(review, { cwd: '/', root: '/sample' }), [
      'beadsmith close TST-1 --repo /sample',
    ]);
    assert.deepEqual(answers(review, { cwd: '/sample-2', root: '/my sample' }), [
      "beadsmith close TST-1 --repo '/my sample'",
    ]);
  });
});
