import assert from 'node:assert/strict';
import { Sequence } from '../../../../src/domain/workflow/workflow.ts';
import {
  rowOf,
  sequence,
  type Status,
  statuses,
  workflow,
} from '../../../../src/domain/workflow/workflow.ts';
import { actionNames, definitionOf } from '../../../../src/domain/workflow/actions.ts';

describe('the sequence of statuses', () => {
  it('is the way of a ticket from its draft to its end', () => {
    // Others may stand between them: docs/statuses.md has all.
    const designed: readonly Status[] = [
      'DRAFT',
      'SCANNING_RELEVANT_FILES',
      'PLANNING_QUICK',
      'WAITING_QUICK_ANSWERS',
      'COUNCIL_DELIBERATING',
      'COUNCIL_VOTING_INTERVIEW',
      'COMPILING_INTERVIEW',
      'WAITING_INTERVIEW_ANSWERS',
      'VERIFYING_INTERVIEW_COVERAGE',
      'WAITING_INTERVIEW_APPROVAL',
      'DRAFTING_PRD',
      'COUNCIL_VOTING_PRD',
      'REFINING_PRD',
      'VERIFYING_PRD_COVERAGE',
      'WAITING_PRD_APPROVAL',
      'DRAFTING_BEADS',
      'COUNCIL_VOTING_BEADS',
      'REFINING_BEADS',
      'VERIFYING_BEADS_COVERAGE',
      'EXPANDING_BEADS',
      'PREPARING_LOOP',
      'WAITING_BEADS_APPROVAL',
      'WAITING_PLAN_APPROVAL',
      'PRE_FLIGHT_CHECK',
      'GENERATING_EXECUTION_SETUP_PLAN',
      'WAITING_EXECUTION_SETUP_APPROVAL',
      'PREPARING_EXECUTION_ENV',
      'CODING',
      'RUNNING_FINAL_TEST',
      'GENERATING_QA_CHECKLIST',
      'WAITING_MANUAL_QA',
      'INTEGRATING_CHANGES',
      'CREATING_PULL_REQUEST',
      'WAITING_PR_REVIEW',
      'WRITING_RETROSPECTIVE',
      'CLEANING_ENV',
      'COMPLETED',
      'BLOCKED_ERROR',
      'CANCELED',
    ];
    assert.deepEqual(
      statuses.filter((status) => designed.includes(status)),
      designed,
    );
  });

  it('continues from a status without what comes before it, though exits lead back', () => {
    assert.deepEqual(sequence.from('WAITING_PR_REVIEW'), [
      'WAITING_PR_REVIEW',
      'WRITING_RETROSPECTIVE',
      'CLEANING_ENV',
      'COMPLETED',
    ]);
    assert.ok(!sequence.from('WAITING_EXECUTION_SETUP_APPROVAL').includes('GENERATING_EXECUTION_SETUP_PLAN'));
    assert.ok(!sequence.from('WAITING_MANUAL_QA').includes('CODING'));
  });

  it('is the same in whatever order the rows and their exits are written', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = mulberry(seed);
      const rows = shuffled(Object.entries(workflow), random).map(([status, row]) => [
        status,
        { exits: Object.fromEntries(shuffled(Object.entries(row.exits), random)) },
      ]);
      const other = new Sequence<Status>(
        Object.fromEntries(rows) as Record<Status, { exits: Record<string, Status> }>,
        'DRAFT',
      );
      assert.deepEqual(other.all, sequence.all, `seed ${String(seed)}`);
      for (const status of statuses)
        assert.deepEqual(other.from(status), sequence.from(status), `seed ${String(seed)}, ${status}`);
    }
  });

  it('reaches every status from the draft through exits, actions and failures', () => {
    const seen = new Set<Status>();
    const open: Status[] = ['DRAFT'];
    for (let status = open.pop(); status !== undefined; status = open.pop()) {
      if (seen.has(status)) continue;
      seen.add(status);
      const { exits, actions, kind } = rowOf(status);
      const targets = [...Object.values(exits), ...actionNames.map((action) => actions[action]?.to)];
      open.push(
        ...targets.filter(
          (to) => to !== undefined && to !== 'self' && to !== 'previous' && to !== 'asPrevious',
        ),
      );
      if (kind === 'auto') open.push('BLOCKED_ERROR');
    }
    assert.deepEqual([...seen].toSorted(), [...statuses].toSorted());
  });
});

describe('the rows', () => {
  it('lead an action that the handler takes where one of its exits leads', () => {
    for (const status of statuses) {
      const { exits, actions, kind } = rowOf(status);
      for (const action of actionNames) {
        const { to, archives } = actions[action] ?? {};
        if (to === undefined || to === 'self' || to === 'previous' || to === 'asPrevious') continue;
        const isMove = definitionOf(action).effect === 'move';
        assert.ok(isMove || Object.values(exits).includes(to), `${status} by ${action}`);
        if (action in exits) assert.equal(exits[action], to, `${status} by ${action}`);
        assert.ok(kind !== 'terminal' || action === 'undo_merge', 'nothing else leaves an end');
        assert.ok(archives === undefined || rowOf(to).kind !== 'terminal');
      }
    }
  });

  it('give each role to one status', () => {
    const roles = statuses.flatMap((status) => rowOf(status).role ?? []);
    assert.deepEqual(roles.toSorted(), ['blocked', 'canceled', 'completed', 'draft']);
  });
});

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => [random(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** Numbers between 0 and 1 that a seed decides. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
