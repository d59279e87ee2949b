import assert from 'node:assert/strict';
import { planHash } from '../../../src/domain/beads/beadPlan.ts';
import { PreflightReport } from '../../../src/domain/beads/reports.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { preflight } from '../../../src/phases/setup/preflight.ts';
import { type ExecutionWorld, executionWorlds } from '../../support/engine/executionWorld.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { sampleReceipt } from '../../support/samples.ts';

describe('pre-flight', () => {
  const newWorld = executionWorlds();

  async function ready(): Promise<ExecutionWorld> {
    const world = await newWorld.in('PRE_FLIGHT_CHECK', { beads: [{}] });
    await approve(world);
    await world.put('relevant_files', 'files: []', 'SCANNING_RELEVANT_FILES');
    world.answers({ 'capability-probe': 'OK' });
    return world;
  }

  async function approve(world: ExecutionWorld, content_sha256?: string): Promise<void> {
    const hash = content_sha256 ?? planHash(await world.store.beads('TST-1'));
    await world.put('approval_receipt', sampleReceipt(hash, { artifact: 'beads' }), 'WAITING_BEADS_APPROVAL');
    await world.put(
      'approval_receipt',
      sampleReceipt('0'.repeat(64), { artifact: 'prd' }),
      'WAITING_PRD_APPROVAL',
    );
  }

  async function failing(world: ExecutionWorld): Promise<string[]> {
    await world.drive({ preflight });
    const report = await world.json('preflight_report');
    const checks = report?.['checks'] as { name: string; result: string }[];
    const failed = checks.filter(({ result }) => result === 'fail').map(({ name }) => name);
    assert.equal((await world.read()).error?.code, failed.length > 0 ? 'PREFLIGHT_FAILED' : undefined);
    return failed;
  }

  it('passes a ticket that can be coded, with no forge and one real call', async () => {
    const world = await ready();
    assert.deepEqual(await failing(world), []);
    await world.isIn('GENERATING_EXECUTION_SETUP_PLAN');
    assert.deepEqual(world.agent.tasks, ['capability-probe']);
  });

  it('says what the pull request will need, and minds no forge that is away', async () => {
    const world = await ready();
    const team = { remote: 'origin', host: 'github.com', api: '', owner: 'octo', name: 'sample' };
    const away = new BeadsmithError('FORGE_UNREACHABLE', { host: 'github.com', reason: 'no route.' });
    world.forges = {
      ...noForge,
      isThere: async () => true,
      places: async () => [{ base: team, head: team }],
      at: () => Promise.reject(away),
    };
    assert.deepEqual(await failing(world), []);
    const { checks } = PreflightReport.parse(await world.json('preflight_report'));
    const found = checks.filter(({ category }) => category === 'forge');
    assert.deepEqual(
      found.map(({ name, result }) => `${result} ${name}`),
      ['pass Pull request', 'pass Access', 'pass Pull-request template'],
    );
  });

  it('names everything that is wrong at once', async () => {
    const world = await ready();
    world.write('half.txt', 'left over\n');
    await world.set('greet', { dependencies: { blocked_by: ['nobody'], blocks: [] } });
    world.agent.known = ['other/model'];
    assert.deepEqual(await failing(world), [
      'Main implementer',
      'Clean worktree',
      'Dependency graph',
      'Runnable bead',
      'Approval',
    ]);
    assert.deepEqual(world.agent.tasks, [], 'a model that is not connected is not asked');
  });

  it('refuses a plan that changed after its approval', async () => {
    const world = await ready();
    await world.set('greet', { title: 'Another title' });
    assert.deepEqual(await failing(world), ['Approval']);
  });

  it('does not mind what happens to a bead at run time', async () => {
    const world = await ready();
    await world.set('greet', { notes: 'A note', updatedAt: 'later' });
    assert.deepEqual(await failing(world), []);
  });

  it('takes any answer of the model that says OK, and no other', async () => {
    for (const [answer, failed] of [
      ['Sure! **OK**.', []],
      ['I can’t: I was told not to look.', ['Capability']],
    ] as const) {
      const world = await ready();
      world.answers({ 'capability-probe': answer, 'structured-repair': answer });
      assert.deepEqual(await failing(world), failed);
    }
  });
});
