import assert from 'node:assert/strict';
import type { Bead } from '../../../../src/domain/beads/bead.ts';
import { planHash, planLines } from '../../../../src/domain/beads/beadPlan.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { preflight } from '../../../../src/phases/setup/preflight.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';

describe('an edit of the approved bead plan', () => {
  const newWorld = executionWorlds();

  async function planned(
    status: 'WAITING_EXECUTION_SETUP_APPROVAL' | 'CODING',
    beads: readonly Partial<Bead>[],
  ): Promise<ExecutionWorld> {
    const world = await newWorld();
    await world.begin(status, { beads, limits: { maxIterations: 1, maxContinuations: 0 } });
    await world.put('beads', planLines(await world.store.beads('TST-1')), 'WAITING_BEADS_APPROVAL');
    await world.put('relevant_files', 'files: []', 'SCANNING_RELEVANT_FILES');
    await world.put('execution_setup_plan', 'earlier', 'WAITING_EXECUTION_SETUP_APPROVAL');
    return world;
  }

  async function edit(
    world: ExecutionWorld,
    change: (bead: Bead) => Partial<Bead>,
    base?: string,
  ): Promise<string> {
    const beads = await world.store.beads('TST-1');
    const content = planLines(beads.map((bead) => ({ ...bead, ...change(bead) })));
    return world.post('edit', {
      artifact: 'beads',
      baseSha256: base ?? planHash(beads),
      content,
      surface: 'jsonl',
    });
  }
  const stateOf = async (world: ExecutionWorld, post: string) => {
    const entry = (await world.store.inbox('TST-1')).find(({ id }) => id === post);
    return entry?.outcome ?? entry?.state;
  };

  it('at the setup’s gate counts as approved, and the setup is planned again', async () => {
    const world = await planned('WAITING_EXECUTION_SETUP_APPROVAL', [{}]);
    world.answers({ 'capability-probe': 'OK' });
    const before = planHash(await world.store.beads('TST-1'));
    await edit(world, () => ({ testCommands: ['grep -q hi greet.txt'] }));
    await world.drive({ preflight }, 'GENERATING_EXECUTION_SETUP_PLAN');
    const beads = await world.store.beads('TST-1');
    assert.deepEqual(
      [beads[0]?.testCommands, beads[0]?.status, beads[0]?.iteration],
      [['grep -q hi greet.txt'], 'pending', 1],
    );
    assert.equal(
      await world.store.artifact('TST-1', 'execution_setup_plan'),
      undefined,
      'what was planned for the earlier plan is archived',
    );
    const receipt = await world.json('user_edit_receipt:beads');
    assert.deepEqual(
      [receipt?.['action'], receipt?.['before'], receipt?.['after'], receipt?.['invalidated']].map(
        (one) => (one as { sha256?: string }).sha256 ?? one,
      ),
      ['save_and_rewind', before, planHash(beads), ['execution_setup_plan']],
    );
    assert.equal((await world.json('approval_receipt'))?.['content_sha256'], planHash(beads));
  });

  it('leads on where a bead blocked the ticket: what is done stays, and the bead starts again as it is planned now', async () => {
    const world = await planned('CODING', [
      { id: 'first', testCommands: ['test -f first.txt'] },
      { id: 'second', testCommands: ['test -f never.txt'] },
    ]);
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "first"') ? 'first' : 'second';
        world.write(`${id}.txt`, 'hello\n');
        return report(id);
      },
      'coding-note': 'It never is.',
      'capability-probe': 'OK',
    });
    await world.drive({ coding, preflight });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    const tip = await world.git.head(world.worktree);

    const refused = await edit(world, ({ id }) => (id === 'first' ? { title: 'Another' } : {}));
    await world.drive({ coding, preflight });
    assert.match(
      JSON.stringify(await stateOf(world, refused)),
      /first: the bead is done, so it can't be changed/,
    );
    const stale = await edit(world, () => ({}), '0'.repeat(64));
    await world.drive({ coding, preflight });
    assert.match(JSON.stringify(await stateOf(world, stale)), /EDIT_CONFLICT/);
    assert.equal((await world.read()).status, 'BLOCKED_ERROR', 'nothing has changed');

    await edit(world, ({ id }) => (id === 'second' ? { testCommands: ['test -f second.txt'] } : {}));
    await world.drive({ coding, preflight }, 'GENERATING_EXECUTION_SETUP_PLAN');
    assert.deepEqual(
      (await world.store.beads('TST-1')).map(({ status, iteration }) => [status, iteration]),
      [
        ['done', 1],
        ['pending', 2],
      ],
    );
    assert.equal(await world.git.head(world.worktree), tip);
    await world.enter('CODING', { by: 'ready', body: null });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(second): Greet by name', 'bead(first): Greet by name']);
  });

  it('is refused while a bead is at work', async () => {
    const world = await planned('CODING', [{}]);
    let post = '';
    world.answers({
      coding: async () => {
        post = await edit(world, () => ({ title: 'Another' }));
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.match(JSON.stringify(await stateOf(world, post)), /ACTION_NOT_ALLOWED/);
  });
});
