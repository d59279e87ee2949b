import assert from 'node:assert/strict';
import {
  archivedBy,
  interrupts,
  isTakenByEngine,
  moveOf,
  runStatus,
} from '../../../../src/domain/documents/moves.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';

const at = (status: Status, previousStatus: Status | null = null) => ({ status, previousStatus });
const entry = (kind: Parameters<typeof moveOf>[1]['kind'], body: object = {}) => ({ kind, body });

describe('a move', () => {
  it('retries the status that failed as a new attempt; coding has only one', () => {
    const retry = (previous: Status) => moveOf(at('BLOCKED_ERROR', previous), entry('retry'));
    assert.deepEqual(retry('DRAFTING_PRD'), {
      to: 'DRAFTING_PRD',
      archives: ['DRAFTING_PRD'],
      keepsRun: false,
    });
    assert.deepEqual(retry('CODING'), { to: 'CODING', archives: [], keepsRun: false });
  });

  it('continues the open run of the status that failed', () => {
    assert.deepEqual(moveOf(at('BLOCKED_ERROR', 'CODING'), entry('continue')), {
      to: 'CODING',
      archives: [],
      keepsRun: true,
    });
    assert.equal(runStatus(at('BLOCKED_ERROR', 'CODING')), 'CODING');
    assert.equal(runStatus(at('CODING', 'PREPARING_EXECUTION_ENV')), 'CODING');
  });

  it('does what the status that blocked says, where the row of a block leaves it to that', () => {
    const update = (previous: Status) => moveOf(at('BLOCKED_ERROR', previous), entry('update_base'));
    assert.deepEqual(update('CODING'), { to: 'CODING', archives: [], keepsRun: false });
    const integrated = moveOf(at('WAITING_PR_REVIEW'), entry('update_base'));
    assert.equal(integrated?.to, 'INTEGRATING_CHANGES');
    assert.deepEqual(update('CREATING_PULL_REQUEST'), integrated);
    assert.deepEqual(update('INTEGRATING_CHANGES'), integrated);
  });

  it('goes back to the setup plan without drafting it again', () => {
    const { to, archives } = moveOf(at('PREPARING_EXECUTION_ENV'), entry('rewind_setup')) ?? {};
    assert.deepEqual(
      [to, archives?.slice(0, 3)],
      [
        'WAITING_EXECUTION_SETUP_APPROVAL',
        ['WAITING_EXECUTION_SETUP_APPROVAL', 'PREPARING_EXECUTION_ENV', 'RUNNING_FINAL_TEST'],
      ],
    );
  });

  it('rewinds by an edit of an approved document, until the plan is closed', () => {
    const edit = (status: Status, artifact: string) => moveOf(at(status), entry('edit', { artifact }))?.to;
    assert.equal(edit('WAITING_BEADS_APPROVAL', 'interview'), 'DRAFTING_PRD');
    assert.equal(edit('WAITING_BEADS_APPROVAL', 'prd'), 'DRAFTING_BEADS');
    assert.equal(edit('WAITING_BEADS_APPROVAL', 'beads'), undefined);
    assert.equal(edit('DRAFTING_PRD', 'prd'), undefined);
    assert.equal(edit('WAITING_EXECUTION_SETUP_APPROVAL', 'interview'), undefined);
    assert.equal(edit('CODING', 'interview'), undefined);
  });

  it('rewinds to the checks before coding by an edit of the approved plan', () => {
    const edit = (status: Status, previous: Status | null = null) =>
      moveOf(at(status, previous), entry('edit', { artifact: 'beads' }))?.to;
    for (const status of [
      'PRE_FLIGHT_CHECK',
      'WAITING_EXECUTION_SETUP_APPROVAL',
      'PREPARING_EXECUTION_ENV',
    ] as const)
      assert.equal(edit(status), 'PRE_FLIGHT_CHECK', status);
    assert.equal(edit('BLOCKED_ERROR', 'CODING'), 'PRE_FLIGHT_CHECK');
    assert.equal(edit('BLOCKED_ERROR', 'DRAFTING_BEADS'), undefined);
    assert.equal(
      moveOf(at('WAITING_EXECUTION_SETUP_APPROVAL'), entry('edit', { artifact: 'execution_setup_plan' })),
      undefined,
    );
  });

  it('is what interrupts a handler, as a hold does; a receipt is taken beside it, and the rest waits for it', () => {
    const is = (...[kind, body]: Parameters<typeof entry>) => {
      const one = entry(kind, body);
      return [isTakenByEngine(at('WAITING_PRD_APPROVAL'), one), interrupts(at('WAITING_PRD_APPROVAL'), one)];
    };
    assert.deepEqual(
      [is('cancel'), is('pause'), is('edit', { artifact: 'interview' })],
      [
        [true, true],
        [true, true],
        [true, true],
      ],
    );
    assert.deepEqual(
      [is('limits'), is('accept_bead')],
      [
        [true, false],
        [true, false],
      ],
    );
    assert.deepEqual(
      [is('approve'), is('context'), is('edit', { artifact: 'prd' })],
      [
        [false, false],
        [false, false],
        [false, false],
      ],
    );
  });
});

describe('what an exit archives', () => {
  it('is what was made from there on when a person sends the work back, and nothing else', () => {
    const tested = [
      'RUNNING_FINAL_TEST',
      'GENERATING_QA_CHECKLIST',
      'WAITING_MANUAL_QA',
      'INTEGRATING_CHANGES',
    ];
    const rest = ['CREATING_PULL_REQUEST', 'WAITING_PR_REVIEW', 'WRITING_RETROSPECTIVE', 'CLEANING_ENV'];
    assert.deepEqual(archivedBy(at('WAITING_PR_REVIEW'), 'changes', 'CODING'), [...tested, ...rest]);
    assert.deepEqual(archivedBy(at('WAITING_PR_REVIEW'), 'merge', 'WRITING_RETROSPECTIVE'), []);
    assert.deepEqual(archivedBy(at('VERIFYING_INTERVIEW_COVERAGE'), 'gaps', 'WAITING_INTERVIEW_ANSWERS'), []);
  });
});
