import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { Bead } from '../../../../src/domain/beads/bead.ts';
import { planHash } from '../../../../src/domain/beads/beadPlan.ts';
import type { ChangeItem } from '../../../../src/domain/ticket/inbox.ts';
import type { HandlerDefinition } from '../../../../src/engine/run/run.ts';
import { amendPlan } from '../../../../src/phases/coding/takeRequests.ts';
import { hydrateBeads } from '../../../../src/domain/beads/readPlan.ts';
import { beads } from '../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../support/engine/phaseWorld.ts';

const plan = hydrateBeads(
  { beads: [...beads] },
  beads.map(({ id }) => ({
    id,
    issueType: 'task',
    labels: ['x'],
    dependencies: { blocked_by: [] },
    targetFiles: ['src/greet.ts'],
  })),
  'TST-1',
);
const items: readonly ChangeItem[] = [
  { text: 'Louder.', bead: 'greet-by-name', file: 'src/greet.ts', line: 3 },
  { text: 'A sentence in the README.', file: 'README.md' },
  { text: 'Be kind.' },
];

interface Fix {
  readonly id: string;
  readonly testCommands?: readonly string[];
  readonly blocked_by?: readonly string[];
}

function fixes(...list: readonly Fix[]): string {
  return stringify({
    beads: list.map(({ id, testCommands = ['npm test'], blocked_by = [] }) => ({
      id,
      title: `Fix ${id}`,
      description: 'A finding.',
      acceptanceCriteria: ['It is loud'],
      tests: ['loud'],
      testCommands,
      labels: ['qa-fix'],
      dependencies: { blocked_by },
      targetFiles: ['src/greet.ts'],
    })),
  });
}

describe('changes that a reviewer asks for', () => {
  const worlds = phaseWorlds();

  async function ready(): Promise<PhaseWorld> {
    const world = await worlds('CODING');
    await world.change({ type: 'beads', beads: plan.map((bead) => ({ ...bead, status: 'done' })) });
    return world;
  }

  /** Amends the plan and parks, as coding does when it continues with the beads. */
  async function amend(world: PhaseWorld): Promise<void> {
    const handler: HandlerDefinition<'never'> = {
      version: 1,
      run: async (run, ticket) => {
        await amendPlan(run, ticket, items, '2:');
        await run.wait('never', ['merge']);
        return { exit: 'never' };
      },
    };
    await world.drive(handler);
  }

  it('are put to the model with their places', async () => {
    const world = await ready();
    world.answers({ 'qa-fix': fixes({ id: 'fix-loud' }) });
    await amend(world);
    const asked = world.agent.calls[0]?.whole ?? '';
    assert.match(asked, /Finding 1 \(src\/greet\.ts, line 3\), about bead greet-by-name:\nLouder\./);
    assert.match(asked, /Finding 2 \(README\.md\):\nA sentence in the README\.[^]*Finding 3:\nBe kind\./);
  });

  it('become beads at the end of the plan, and beads that exist stay as they are', async () => {
    const world = await ready();
    const before = await world.beads();
    world.answers({
      'qa-fix': fixes(
        { id: 'fix-loud', blocked_by: ['greet-nobody'] },
        { id: 'fix-kind', blocked_by: ['fix-loud'] },
      ),
    });
    await amend(world);
    const after = await world.beads();
    assert.deepEqual(
      after.map(({ id, priority, status, issueType }) => [id, priority, status, issueType]),
      [
        ['greet-by-name', 1, 'done', 'task'],
        ['greet-nobody', 2, 'done', 'task'],
        ['fix-loud', 3, 'pending', 'qa-fix'],
        ['fix-kind', 4, 'pending', 'qa-fix'],
      ],
    );
    assert.deepEqual(
      after.map(({ dependencies }) => dependencies.blocks),
      [[], ['fix-loud'], ['fix-kind'], []],
    );
    assert.deepEqual({ ...after[0] }, before[0]);
    for (const bead of after) Bead.parse(bead);
  });

  it('leave a receipt for each bead, with the plan before and after', async () => {
    const world = await ready();
    const before = planHash(await world.beads());
    world.answers({ 'qa-fix': fixes({ id: 'fix-loud' }, { id: 'fix-kind' }) });
    await amend(world);
    for (const id of ['fix-loud', 'fix-kind'] as const) {
      const receipt = await world.json(`bead_amendment:${id}`);
      assert.deepEqual(
        [receipt?.['plan_sha256_before'], receipt?.['plan_sha256_after']],
        [before, planHash(await world.beads())],
      );
      assert.deepEqual(receipt?.['requested'], items);
    }
  });

  for (const [what, answer, why] of [
    [
      'uses an id of the plan',
      fixes({ id: 'greet-nobody' }),
      /These ids are in use already: greet-nobody\. Choose new ones\./,
    ],
    [
      'has no test command',
      fixes({ id: 'fix-loud', testCommands: [] }),
      /These beads have no testCommands: fix-loud\./,
    ],
    [
      'waits for a bead that nobody knows',
      fixes({ id: 'fix-loud', blocked_by: ['nowhere'] }),
      /blocked_by names beads that don't exist: nowhere\./,
    ],
    [
      'waits for itself in the end',
      fixes({ id: 'fix-a', blocked_by: ['fix-b'] }, { id: 'fix-b', blocked_by: ['fix-a'] }),
      /circle/,
    ],
  ] as const)
    it(`are repaired by the model when a bead ${what}`, async () => {
      const world = await ready();
      world.answers({ 'qa-fix': answer, 'structured-repair': fixes({ id: 'fix-good' }) });
      await amend(world);
      assert.match(world.agent.calls[1]?.text ?? '', why);
      assert.deepEqual((await world.beads()).at(-1)?.id, 'fix-good');
    });

  it('change nothing when the model gives no bead that fits', async () => {
    const world = await ready();
    world.answers({
      'qa-fix': fixes({ id: 'greet-nobody' }),
      'structured-repair': fixes({ id: 'greet-nobody' }),
    });
    await assert.rejects(amend(world), { code: 'RESPONSE_INVALID' });
    assert.equal((await world.beads()).length, 2);
  });

  it('are planned once, though the process was killed before the plan was stored', async () => {
    const world = await ready();
    world.answers({ 'qa-fix': fixes({ id: 'fix-loud' }) });
    world.killAt = '2:fix-beads';
    await amend(world);
    assert.equal((await world.beads()).length, 2);
    await amend(world);
    assert.deepEqual([world.agent.calls.length, (await world.beads()).length], [1, 3]);
  });
});
