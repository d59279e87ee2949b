import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { attemptRef } from '../../../src/domain/core/ids.ts';
import { brokenAt } from '../../../src/domain/records/records.ts';
import type { HandlerDefinition } from '../../../src/engine/run/run.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { recoverBeads } from '../../../src/phases/coding/recoverBeads.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { die, hang } from '../../support/models/fakeAgent.ts';
import { until } from '../../support/until.ts';

describe('recovering beads', () => {
  const newWorld = executionWorlds();

  describe('an iteration that is cut off', () => {
    it('uses up an iteration when its time is over', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 2, perIterationTimeout: 5_000 } });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 1) return hang;
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
      });
      const driven = world.drive({ coding });
      await until(() => world.callsOf('coding').length === 1, 'the first prompt');
      await world.clock.advance(6_000);
      await driven;
      await world.isIn('RUNNING_FINAL_TEST');
      assert.equal((await world.bead('greet')).iteration, 2);
      assert.deepEqual(
        world.agent.aborted.slice(0, 1),
        ['ses_1'],
        'the session was stopped before the files were reset',
      );
    });

    it('begins again on clean files when its session died, and uses up nothing', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 0 } });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 1) {
            world.write('half.txt', 'half done\n');
            world.crash();
            return die;
          }
          assert.equal(existsSync(join(world.worktree, 'half.txt')), false);
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
      });
      await world.driveUntilKilled({ coding });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      assert.equal((await world.bead('greet')).iteration, 1);
      assert.equal(
        await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1-interrupted:half.txt'),
        'half done',
      );
    });

    it('AT-23: has each entry of its records once, in an unbroken chain, after it was killed and continued', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 3 } });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 2) {
            world.crash();
            return die;
          }
          if (turn > 2) world.write('greet.txt', 'hello\n');
          return turn === 1 ? 'No marker.' : report('greet');
        },
      });
      await world.driveUntilKilled({ coding });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      const records = await world.records();
      assert.equal(brokenAt(records), undefined);
      const told = records.map(({ kind, iteration }) => `${kind} ${String(iteration)}`);
      assert.deepEqual(told, [...new Set(told)]);
      assert.deepEqual(
        told.slice(-4),
        ['spec', 'dev', 'gate', 'commit'].map((kind) => `${kind} ${String(records.at(-1)?.iteration)}`),
      );
    });

    it('stops a session that was left at work before it takes the files back, when the run is given up', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 2 } });
      world.answers({
        coding: () => {
          world.write('half.txt', 'half done\n');
          return hang;
        },
      });
      const killed = world.driveUntilKilled({ coding });
      await until(() => world.callsOf('coding').length === 1, 'the first prompt');
      world.crash();
      world.answers({
        coding: () => {
          assert.deepEqual(world.agent.aborted, ['ses_1']);
          assert.equal(existsSync(join(world.worktree, 'half.txt')), false);
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
      });
      await world.drive({ coding: { ...coding, version: coding.version + 1 } });
      await world.isIn('RUNNING_FINAL_TEST');
      world.agent.finish('ses_1', 'too late');
      await killed;
    });

    it('is an interruption when the session that should continue is gone', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 0 } });
      world.answers({
        coding: ({ session }) => {
          world.write('greet.txt', session === 'ses_1' ? 'wrong\n' : 'hello\n');
          return report('greet');
        },
        'coding-continue': () => {
          world.crash();
          return die;
        },
      });
      await world.driveUntilKilled({ coding });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      assert.match((await world.bead('greet')).notes, /Iteration 1 was interrupted/);
      assert.equal((await world.bead('greet')).iteration, 2);
    });
  });

  describe('finding a bead in progress without its iteration', () => {
    const underway = {
      status: 'in_progress',
      startedAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    } as const;
    const recovery: HandlerDefinition<'complete'> = {
      version: 1,
      run: async (run, ticket) => {
        await recoverBeads(run, ticket);
        return { exit: 'complete' };
      },
    };

    it('finalizes it when its checkpoint matches', async () => {
      const world = await newWorld.in('CODING', { beads: [underway] });
      await world.set('greet', { beadStartCommit: world.start });
      world.write('greet.txt', 'hello\n');
      await world.put('bead_execution:greet', await checkpoint(world, {}));
      await world.drive({ coding });
      assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
      assert.deepEqual(world.agent.tasks, []);
    });

    it('finalizes it in a worktree that was made since, where only its candidate is left', async () => {
      const world = await newWorld.in('CODING', { beads: [underway] });
      await world.set('greet', { beadStartCommit: world.start });
      world.write('greet.txt', 'hello\n');
      await world.put('bead_execution:greet', await checkpoint(world, {}));
      await world.git.resetHard(world.worktree, world.start);
      await world.drive({ coding });
      assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
      assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello');
      assert.deepEqual(world.agent.tasks, []);
    });

    it('starts over what an earlier version checked, which has no candidate', async () => {
      const world = await newWorld.in('CODING', { beads: [underway] });
      await world.set('greet', { beadStartCommit: world.start });
      world.write('greet.txt', 'hello\n');
      const { candidate: _, ...earlier } = (await checkpoint(world, {})) as Record<string, unknown>;
      await world.put('bead_execution:greet', earlier);
      await world.drive({ coding: recovery });
      assert.deepEqual([(await world.bead('greet')).status, await world.subjects()], ['pending', []]);
    });

    it('keeps and resets it when any of the five fields differs, or the files', async () => {
      const world = await newWorld.in('CODING', { beads: [underway] });
      const different = {
        iteration: { iteration: 9 },
        startedAt: { startedAt: '2025-01-01T00:00:00.000Z' },
        updatedAt: { updatedAt: '2025-01-01T00:00:00.000Z' },
        beadStartCommit: { beadStartCommit: '0'.repeat(40) },
        beadId: { beadId: 'other' },
        files: {},
      };
      for (const [index, [field, change]] of Object.entries(different).entries()) {
        const iteration = index + 1;
        await world.enter('CODING', { by: 'ready', body: null });
        await world.set('greet', { ...underway, iteration, beadStartCommit: world.start });
        world.write('greet.txt', `half done ${field}\n`);
        await world.put('bead_execution:greet', await checkpoint(world, change));
        if (field === 'files') world.write('greet.txt', 'changed since\n');
        await world.drive({ coding: recovery });
        const bead = await world.bead('greet');
        assert.deepEqual([bead.status, bead.iteration], ['pending', iteration + 1], field);
        assert.equal(existsSync(join(world.worktree, 'greet.txt')), false, field);
        const kept = await world.repository.git(
          'show',
          `${attemptRef('TST-1', 'greet', iteration)}:greet.txt`,
        );
        assert.equal(kept, field === 'files' ? 'changed since' : `half done ${field}`);
      }
      assert.deepEqual(await world.subjects(), []);
    });
  });
});

async function checkpoint(world: ExecutionWorld, change: Record<string, unknown>): Promise<unknown> {
  const { iteration, startedAt, updatedAt, beadStartCommit, testCommands } = await world.bead('greet');
  const command = testCommands[0]!;
  const start = beadStartCommit ?? '';
  const trailers = { Ticket: 'TST-1', Bead: 'greet', Iteration: String(iteration) };
  const named = {
    message: 'bead(greet): Greet by name',
    trailers,
    ref: 'refs/beadsmith/TST-1/candidate/greet',
  };
  const candidate = await world.git.candidate(world.worktree, { start, paths: ['greet.txt'], ...named });
  const evidence = {
    command,
    cwd: '/',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1,
    outputBytes: 0,
    head: '',
    tail: '',
  };
  return {
    schema_version: 1,
    checkpoint: { beadId: 'greet', iteration, startedAt, updatedAt, beadStartCommit, ...change },
    outcome: 'accepted',
    marker: {
      bead_id: 'greet',
      status: 'done',
      checks: { tests: 'pass', lint: 'pass', typecheck: 'pass', qualitative: 'pass' },
    },
    devRecord: null,
    evidence: [evidence],
    candidate,
    tree: await world.git.writeTree(world.worktree),
    leftOut: [],
    reason: '',
  };
}
