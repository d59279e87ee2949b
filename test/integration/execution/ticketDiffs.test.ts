import assert from 'node:assert/strict';
import { PersonsCommands } from '../../../src/app/tickets/personsCommands.ts';
import { TicketDiffs } from '../../../src/app/tickets/ticketDiffs.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import type { DiffScope } from '../../../src/protocol/review.ts';
import {
  type ExecutionWorld,
  executionWorlds,
  report,
  testBead,
} from '../../support/engine/executionWorld.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';
import { ticketDetail } from '../../support/fakes/ticketPlace.ts';

describe('diffs of a ticket', () => {
  const newWorld = executionWorlds();

  /** `greet` fails once; `second` follows. */
  async function coded(): Promise<{ readonly world: ExecutionWorld; readonly diffs: TicketDiffs }> {
    const world = await newWorld();
    const beads = [
      {},
      {
        id: 'second',
        testCommands: ['true'],
        unprovedReason: 'Nothing changes.',
        dependencies: { blocked_by: ['greet'], blocks: [] },
      },
    ];
    await world.begin('CODING', { beads, limits: { maxContinuations: 0 } });
    world.answers({
      coding: ({ whole, turn }) => {
        if (!whole.includes('"id": "greet"')) {
          world.write('README.md', '# Changed\n');
          return report('second');
        }
        world.write('greet.txt', turn === 1 ? 'wrong\n' : 'hello\n');
        if (turn === 1) world.write('stray.txt', 'x\n');
        return report('greet');
      },
      'coding-note': 'It was wrong.',
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    return { world, diffs: new TicketDiffs(world.store, world.git, world.repository.root) };
  }

  const text = async (diffs: TicketDiffs, commit: string, path: string): Promise<string> =>
    Buffer.from((await diffs.file('TST-1', commit, path)) ?? []).toString();

  it('show the ticket, each bead, and each iteration, also a thrown away one', async () => {
    const { world, diffs } = await coded();
    const paths = async (scope: DiffScope): Promise<unknown> =>
      (await diffs.diff('TST-1', scope))?.files.map(({ path, change }) => `${change} ${path}`);
    assert.deepEqual(await paths({ kind: 'ticket' }), ['modified README.md', 'added greet.txt']);
    assert.deepEqual(await paths({ kind: 'bead', bead: 'greet' }), ['added greet.txt']);
    assert.deepEqual(await paths({ kind: 'bead', bead: 'second' }), ['modified README.md']);
    assert.deepEqual(await paths({ kind: 'iteration', bead: 'greet', iteration: 1 }), [
      'added greet.txt',
      'added stray.txt',
    ]);
    assert.deepEqual(await paths({ kind: 'iteration', bead: 'greet', iteration: 2 }), ['added greet.txt']);
    assert.equal(await paths({ kind: 'iteration', bead: 'greet', iteration: 3 }), undefined);
    assert.equal(await paths({ kind: 'bead', bead: 'none' }), undefined);
    const first = await diffs.diff('TST-1', { kind: 'iteration', bead: 'greet', iteration: 1 });
    const done = await diffs.diff('TST-1', { kind: 'bead', bead: 'greet' });
    assert.ok(first && done);
    assert.deepEqual(
      [await text(diffs, first.to, 'greet.txt'), await text(diffs, done.to, 'greet.txt')],
      ['wrong\n', 'hello\n'],
    );
    assert.deepEqual([first.from, done.from], [world.start, world.start]);
    assert.equal(await text(diffs, done.from, 'README.md'), '# Sample\n');
  });

  it('carry the hash under which a bead was filed, and are there without the worktree', async () => {
    const { world, diffs } = await coded();
    const stored = await world.store.artifact('TST-1', 'bead_diff:second');
    const before = await diffs.diff('TST-1', { kind: 'bead', bead: 'second' });
    assert.equal(before?.sha256, stored?.info.sha256);
    const iteration = await diffs.diff('TST-1', { kind: 'iteration', bead: 'greet', iteration: 1 });
    await world.git.removeWorktree(world.worktree);
    assert.deepEqual(await diffs.diff('TST-1', { kind: 'bead', bead: 'second' }), before);
    assert.deepEqual(
      await diffs.diff('TST-1', { kind: 'iteration', bead: 'greet', iteration: 1 }),
      iteration,
    );
    assert.match(iteration?.sha256 ?? '', /^[0-9a-f]{64}$/);
  });

  it('show uncommitted work without touching it, and a person’s command leaves it as it was', async () => {
    const world = await newWorld.in('CODING');
    const diffs = new TicketDiffs(world.store, world.git, world.repository.root);
    const since = async (): Promise<unknown> =>
      (await diffs.diff('TST-1', { kind: 'worktree', since: 'base' }))?.files.map(
        ({ path, change }) => `${change} ${path}`,
      );
    assert.equal(await since(), undefined);
    world.write('mine.txt', 'mine\n');
    const status = await world.git.status(world.worktree);
    assert.deepEqual(await since(), ['added mine.txt']);
    assert.deepEqual(await world.git.status(world.worktree), status, 'nothing is staged');

    const client = new FakeClient();
    const ticket = await world.store.ticket('TST-1');
    client.ticket = () => Promise.resolve(ticketDetail({ ticket: { ...ticket } }));
    const command = 'echo new > made.txt; echo more >> README.md; echo more >> mine.txt';
    const beads = [testBead({ testCommands: [command] })];
    client.beads = () => Promise.resolve({ beads, sha256: '' });
    const commands = new PersonsCommands(client, world.ports);
    const result = await commands.run('TST-1', command, new AbortController().signal);
    assert.ok(result.kind === 'ran' && result.evidence.exitCode === 0);
    assert.deepEqual([result.restored.toSorted(), result.changed], [['README.md', 'made.txt'], ['mine.txt']]);
    assert.deepEqual(await since(), ['added mine.txt']);
    const kept = await world.git.resolve('refs/beadsmith/TST-1/worktree/commands');
    assert.ok(kept);
    assert.equal(await text(diffs, kept, 'made.txt'), 'new\n');
  });

  it('are none before anything was changed, and of tickets that do not exist', async () => {
    const world = await newWorld.in('CODING');
    const diffs = new TicketDiffs(world.store, world.git, world.repository.root);
    for (const scope of [
      { kind: 'ticket' },
      { kind: 'bead', bead: 'greet' },
      { kind: 'iteration', bead: 'greet', iteration: 1 },
    ] as const)
      assert.equal(await diffs.diff('TST-1', scope), undefined);
    await assert.rejects(diffs.diff('TST-9', { kind: 'ticket' }), { code: 'TICKET_UNKNOWN' });
    await assert.rejects(diffs.file('--help', world.start, 'README.md'), { code: 'TICKET_UNKNOWN' });
  });
});
