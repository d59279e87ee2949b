import assert from 'node:assert/strict';
import { type ActionFacts, allowedActions, refusalOf } from '../../../../src/domain/workflow/availability.ts';
import type { ActionName } from '../../../../src/domain/workflow/actions.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';

const facts = (status: Status, changes: Partial<ActionFacts> = {}): ActionFacts => ({
  status,
  previousStatus: null,
  hold: null,
  continuable: false,
  openGaps: false,
  beadsDone: 0,
  ...changes,
});
/** Whether an action is offered, and the code with which it is refused when it isn't. */
const said = (action: ActionName, of: ActionFacts): string => {
  const refused = refusalOf(of, action);
  assert.equal(allowedActions(of).includes(action), refused === undefined);
  return refused?.code ?? 'allowed';
};

describe('the availability of an action', () => {
  it('accepts a bead as long as the ticket isn’t over, and once one is finished', () => {
    assert.equal(said('accept_bead', facts('CODING')), 'NO_FINISHED_BEAD');
    assert.equal(said('accept_bead', facts('CODING', { beadsDone: 1 })), 'allowed');
    assert.equal(said('accept_bead', facts('COMPLETED', { beadsDone: 1 })), 'ACTION_NOT_ALLOWED');
    assert.equal(
      said('accept_bead', facts('BLOCKED_ERROR', { beadsDone: 1, previousStatus: 'CODING' })),
      'allowed',
    );
  });

  it('undoes a merge only of a completed ticket, and only where Beadsmith knows what was before', () => {
    assert.equal(said('undo_merge', facts('COMPLETED', { merged: true })), 'allowed');
    for (const no of [facts('COMPLETED'), facts('CANCELED', { merged: true }), facts('WAITING_PR_REVIEW')])
      assert.equal(said('undo_merge', no), 'ACTION_NOT_ALLOWED');
  });

  it('merges a team’s tickets on the forge alone', () => {
    const review = facts('WAITING_PR_REVIEW', { ofTeam: true, published: true });
    assert.equal(said('merge', review), 'MERGE_ON_FORGE');
    assert.match(refusalOf(review, 'merge')?.nextStep ?? '', /merge it on the forge/);
    for (const other of ['create_pull_request', 'merge_pull_request', 'update_base', 'close'] as const)
      assert.equal(said(other, review), 'allowed');
    assert.equal(said('merge', facts('WAITING_PR_REVIEW')), 'allowed');
  });

  it('continues only with a session that can be continued', () => {
    assert.equal(
      said('continue', facts('BLOCKED_ERROR', { previousStatus: 'CODING' })),
      'NOTHING_TO_CONTINUE',
    );
    assert.equal(
      said('continue', facts('BLOCKED_ERROR', { previousStatus: 'CODING', continuable: true })),
      'allowed',
    );
    assert.equal(said('continue', facts('CODING', { continuable: true })), 'ACTION_NOT_ALLOWED');
  });

  it('fixes gaps only where the last check left some', () => {
    assert.equal(said('fix_gaps', facts('WAITING_PRD_APPROVAL')), 'NO_OPEN_GAPS');
    assert.equal(said('fix_gaps', facts('WAITING_PRD_APPROVAL', { openGaps: true })), 'allowed');
    assert.equal(
      said('fix_gaps', facts('WAITING_INTERVIEW_APPROVAL', { openGaps: true })),
      'ACTION_NOT_ALLOWED',
    );
  });

  it('checks a document again at its gate, whether gaps are open or not, where a model checks it', () => {
    for (const gate of ['WAITING_PRD_APPROVAL', 'WAITING_BEADS_APPROVAL'] as const) {
      assert.equal(said('check_again', facts(gate)), 'allowed');
      assert.equal(said('check_again', facts(gate, { openGaps: true })), 'allowed');
    }
    for (const other of [
      'WAITING_INTERVIEW_APPROVAL',
      'WAITING_PLAN_APPROVAL',
      'VERIFYING_PRD_COVERAGE',
      'CODING',
    ] as const)
      assert.equal(said('check_again', facts(other)), 'ACTION_NOT_ALLOWED');
  });

  it('pauses what isn’t paused, resumes what is held, and answers what was asked', () => {
    const at = (hold: string | null): readonly string[] =>
      (['pause', 'resume', 'question_reply', 'permission_reply'] as const).map((action) =>
        said(action, facts('CODING', { hold })),
      );
    const no = 'ACTION_NOT_ALLOWED';
    assert.deepEqual(at(null), ['allowed', 'NOT_HELD', no, no]);
    assert.deepEqual(at('paused'), ['ALREADY_PAUSED', 'allowed', no, no]);
    assert.deepEqual(at('question'), ['allowed', 'NOT_HELD', 'allowed', no]);
    assert.deepEqual(at('permission'), ['allowed', 'NOT_HELD', no, 'allowed']);
  });

  it('changes the policy of gates while one is ahead: to the other one', () => {
    const at = (status: Status, passesGates?: boolean): readonly string[] =>
      (['wait_at_gates', 'pass_gates'] as const).map((action) =>
        said(action, facts(status, passesGates === undefined ? {} : { passesGates })),
      );
    const no = 'ACTION_NOT_ALLOWED';
    assert.deepEqual(at('DRAFTING_PRD', true), ['allowed', no]);
    assert.deepEqual(at('PREPARING_EXECUTION_ENV', false), [no, 'allowed']);
    assert.deepEqual(
      [at('DRAFT'), at('CODING', true), at('COMPLETED')],
      [
        [no, no],
        [no, no],
        [no, no],
      ],
    );
  });

  it('takes of a blocked ticket what the status that failed takes', () => {
    const blocked = (previousStatus: Status): readonly ActionName[] =>
      allowedActions(facts('BLOCKED_ERROR', { previousStatus }));
    assert.ok(blocked('CODING').includes('changes') && !blocked('DRAFTING_PRD').includes('changes'));
    assert.ok(
      blocked('CODING').includes('update_base') && blocked('CREATING_PULL_REQUEST').includes('update_base'),
    );
    assert.ok(
      !blocked('DRAFTING_PRD').includes('update_base') &&
        !allowedActions(facts('CODING')).includes('update_base'),
    );
    assert.ok(
      blocked('PREPARING_EXECUTION_ENV').includes('rewind_setup') &&
        !blocked('CODING').includes('rewind_setup'),
    );
  });

  it('says in a refusal what is possible', () => {
    assert.match(refusalOf(facts('DRAFT'), 'merge')?.nextStep ?? '', /start, edit, cancel/);
  });
});
