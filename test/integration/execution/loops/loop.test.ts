import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { planHash } from '../../../../src/domain/beads/beadPlan.ts';
import { SetupPlan } from '../../../../src/domain/documents/setupPlan.ts';
import type { LoopRequest } from '../../../../src/domain/ticket/loop.ts';
import { behaviour } from '../../../../src/phases/index.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  pullRequestDraft,
  testSetupPlan,
} from '../../../support/engine/executionWorld.ts';
import { sampleReceipt } from '../../../support/samples.ts';

const { review: _gate, ...handlers } = behaviour.handlers;
const prompt = '# Say hello\n\nWrite greet.txt.\n\n- [ ] greet.txt says hello\n- [x] there is a README\n';

describe('a loop', () => {
  const newWorld = executionWorlds();

  async function begin(world: ExecutionWorld, request: Partial<LoopRequest>): Promise<void> {
    await world.begin('PREPARING_LOOP', {
      settings: { depth: 'loop', minPasses: 1, maxPasses: 3, promise: 'DONE' },
    });
    await world.store.commit({
      ticket: world.ticket,
      journal: [],
      changes: [{ type: 'ticket', set: { title: 'Say hello', description: prompt } }],
    });
    await world.put('loop_request', { tests: [], setup: [], noTests: '', ...request }, 'DRAFT');
  }
  const drive = async (world: ExecutionWorld): Promise<string> => {
    await world.drive(handlers);
    const { status, error } = await world.read();
    return error ? `${status} ${error.code}` : status;
  };
  const greets = (world: ExecutionWorld): void =>
    world.answers({
      'capability-probe': 'OK',
      coding: world.writing({ 'greet.txt': 'hello\n' }, 'loop'),
      'pull-request': pullRequestDraft,
    });
  const plan = async (world: ExecutionWorld): Promise<SetupPlan> =>
    SetupPlan.parse(parse((await world.store.artifact(world.ticket, 'execution_setup_plan'))?.content ?? ''));

  it('codes its prompt as one bead, without a plan, an interview or an approval, and proves it', async () => {
    const world = await newWorld();
    greets(world);
    await begin(world, { tests: ['grep -q hello greet.txt'] });
    assert.equal(await drive(world), 'WAITING_PR_REVIEW');
    assert.deepEqual(world.agent.tasks, ['capability-probe', 'coding', 'pull-request']);
    const beads = await world.store.beads(world.ticket);
    assert.deepEqual(
      beads.map(({ id, title, description, acceptanceCriteria, testCommands, status }) => [
        id,
        title,
        description,
        acceptanceCriteria,
        testCommands,
        status,
      ]),
      [['loop', 'Say hello', prompt, ['greet.txt says hello'], ['grep -q hello greet.txt'], 'done']],
    );
    assert.deepEqual(await world.subjects(), ['bead(loop): Say hello']);
    const receipt = await world.json('approval_receipt');
    assert.deepEqual([receipt?.['artifact'], receipt?.['content_sha256']], ['beads', planHash(beads)]);
    assert.deepEqual([receipt?.['approved_by'], receipt?.['rule']], ['policy', 'loop']);
    for (const never of ['interview', 'prd', 'relevant_files'] as const)
      assert.equal(await world.store.artifact(world.ticket, never), undefined, never);
    assert.equal((await world.json('final_test_report'))?.['passed'], true);
  });

  it('prepares checkouts by the commands that it was started with, and asks no agent for it', async () => {
    const world = await newWorld({ 'install.sh': 'touch made.ignored\n' });
    greets(world);
    await begin(world, {
      tests: ['test -f made.ignored && grep -q hello greet.txt'],
      setup: ['sh install.sh'],
    });
    assert.equal(await drive(world), 'WAITING_PR_REVIEW');
    assert.deepEqual(world.agent.tasks, ['capability-probe', 'coding', 'pull-request']);
    assert.deepEqual((await world.json('execution_setup_profile'))?.['bootstrap_commands'], [
      'sh install.sh',
    ]);
    assert.equal((await plan(world)).status, 'approved');
  });

  it('asks its person about a setup that fails, and no model', async () => {
    const world = await newWorld();
    greets(world);
    await begin(world, { tests: ['true'], setup: ['exit 3'] });
    assert.equal(await drive(world), 'WAITING_EXECUTION_SETUP_APPROVAL');
    assert.deepEqual(world.agent.tasks, ['capability-probe']);
    const { readiness, status } = await plan(world);
    assert.equal(status, 'draft');
    assert.match(readiness.gaps.join(), /could not be prepared.*exit 3/s);
  });

  it('is refused without a command that could prove it', async () => {
    const world = await newWorld();
    greets(world);
    await begin(world, {});
    assert.equal(await drive(world), 'BLOCKED_ERROR LOOP_UNPROVED');
    assert.deepEqual(world.agent.tasks, []);
  });

  it('is taken without a proof where its person says why there is none', async () => {
    const world = await newWorld();
    greets(world);
    await begin(world, { noTests: 'It is only text.' });
    assert.equal(await drive(world), 'WAITING_PR_REVIEW');
    const bead = await world.bead('loop');
    assert.deepEqual([bead.testCommands, bead.unprovedReason, bead.status], [[], 'It is only text.', 'done']);
  });

  it('is proved by the checks that a person approved last, in the setup that still holds', async () => {
    const world = await newWorld();
    greets(world);
    await world.begin('CODING', { beads: [] });
    await world.prepared();
    const checks = {
      project_commands: { test_full: ['grep -q hello greet.txt'] },
      readiness: { status: 'ready', actions_required: false },
    };
    const sha256 = await world.put('execution_setup_plan', stringify({ ...testSetupPlan(), ...checks }));
    await world.put('approval_receipt', sampleReceipt(sha256, { artifact: 'execution_setup_plan' }));
    await begin(world, {});
    assert.equal(await drive(world), 'WAITING_PR_REVIEW');
    assert.deepEqual((await world.bead('loop')).testCommands, ['grep -q hello greet.txt']);
    assert.deepEqual((await plan(world)).project_commands.test_full, ['grep -q hello greet.txt']);
  });

  it('blocks with the command that fails on the whole, and asks no agent to write a test', async () => {
    const world = await newWorld();
    greets(world);
    await begin(world, { tests: ['grep -q hello greet.txt'] });
    const { runner } = world;
    let coded = false;
    world.runner = {
      run: (command, options) =>
        runner.run(coded && command.includes('grep -q hello') ? 'exit 7' : command, options),
    };
    const { finalTest } = handlers;
    const later = {
      ...handlers,
      finalTest: {
        ...finalTest,
        run: (...given: Parameters<typeof finalTest.run>) => ((coded = true), finalTest.run(...given)),
      },
    };
    await world.drive(later);
    const { status, error } = await world.read();
    assert.deepEqual([status, error?.code], ['BLOCKED_ERROR', 'FINAL_TEST_FAILED']);
    assert.deepEqual(world.agent.tasks, ['capability-probe', 'coding']);
  });
});
