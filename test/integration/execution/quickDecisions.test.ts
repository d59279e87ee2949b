import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { approvalTarget } from '../../../src/app/tickets/ticketView.ts';
import type { PassGates } from '../../../src/domain/settings/rows/planning.ts';
import { isTerminal } from '../../../src/domain/workflow/workflow.ts';
import { behaviour } from '../../../src/phases/index.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
} from '../../support/engine/executionWorld.ts';
import { quickPlan, quickPlanAnswer, scanAnswer } from '../../support/models/planningAnswers.ts';

const [first] = quickPlan.beads;
const bead = {
  ...first,
  id: 'greet',
  dependencies: { blocked_by: [] },
  testCommands: ['grep -q hello greet.txt'],
  targetFiles: ['greet.txt'],
};
const setup = {
  summary: 'Nothing to do.',
  readiness: { status: 'ready', actions_required: false },
  project_commands: { test_full: ['grep -q Sample README.md'] },
};

describe('the decisions of a person that a quick ticket takes', () => {
  const newWorld = executionWorlds();

  /** From the start to the end of a ticket, deciding wherever it waits: where that was. */
  async function decisions(world: ExecutionWorld, passGates: PassGates): Promise<readonly string[]> {
    world.answers({
      'relevant-files-scan': scanAnswer,
      'quick-plan': quickPlanAnswer({ ...quickPlan, beads: [bead] }),
      'capability-probe': 'OK',
      'setup-plan': `<EXECUTION_SETUP_PLAN>\n${stringify(setup)}</EXECUTION_SETUP_PLAN>`,
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test': () => {
        world.write('final.test.txt', 'ok\n');
        return '<FINAL_TEST_COMMANDS>\ncommands: ["grep -q hello greet.txt"]\ntest_files: [final.test.txt]\nsummary: All\n</FINAL_TEST_COMMANDS>';
      },
      'pull-request': pullRequestDraft,
    });
    await world.begin('SCANNING_RELEVANT_FILES', { settings: { depth: 'quick', passGates } });
    const decided: string[] = [];
    for (;;) {
      await world.drive(behaviour.handlers);
      const ticket = await world.read();
      if (isTerminal(ticket.status)) break;
      decided.push(ticket.status);
      assert.ok(decided.length < 6, JSON.stringify([decided, ticket.error]));
      const target = await approvalTarget(world.store, ticket);
      if (target) await world.post('approve', { sha256: target.sha256, reason: '' });
      else await world.post('close', { reason: 'Enough.' });
    }
    const sent = (await world.store.inbox(world.ticket)).map(({ state }) => state);
    assert.deepEqual(
      sent,
      decided.map(() => 'consumed'),
      'each was one decision',
    );
    return decided;
  }

  it('are two in a repository that was used before, whether the setup still holds or there is nothing new in it', async () => {
    const world = await newWorld({ 'package-lock.json': '{}\n' });
    const three = ['WAITING_PLAN_APPROVAL', 'WAITING_EXECUTION_SETUP_APPROVAL', 'WAITING_PR_REVIEW'];
    const two = ['WAITING_PLAN_APPROVAL', 'WAITING_PR_REVIEW'];
    assert.deepEqual(await decisions(world, 'quick'), three, 'the first one');
    assert.deepEqual(await decisions(world, 'off'), two, 'the setup that was approved last holds');

    await world.repository.commit({ 'package-lock.json': '{"lockfileVersion":3}\n' });
    assert.deepEqual(await decisions(world, 'off'), three, 'it no longer holds, and nobody may pass');
    await world.repository.commit({ 'package-lock.json': '{"lockfileVersion":4}\n' });
    assert.deepEqual(await decisions(world, 'quick'), two);
    const receipts = await world.store.artifacts(world.ticket, { type: 'approval_receipt' });
    const said = await Promise.all(receipts.map(({ id }) => world.store.artifactContent(id)));
    assert.deepEqual(
      said.map((text) => /"approved_by": "(\w+)"/.exec(text ?? '')?.[1]),
      ['user', 'user', 'policy'],
      'PRD and beads by a person, the setup by a rule',
    );
  }).timeout(120_000);
});
