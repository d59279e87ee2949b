import assert from 'node:assert/strict';
import { attemptRef } from '../../../../src/domain/core/ids.ts';
import { limitsBehind } from '../../../../src/domain/beads/limitsBehind.ts';
import type { AgentFailure } from '../../../../src/engine/ports/ports.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import { die, hang } from '../../../support/models/fakeAgent.ts';
import { until } from '../../../support/until.ts';

describe('coding that lasts', () => {
  const newWorld = executionWorlds();
  const minutes = (count: number): number => count * 60_000;

  it('says which limit ended an iteration, and offers to raise that one', async () => {
    const world = await newWorld.in('CODING', { limits: { maxIterations: 0, perIterationTimeout: 5_000 } });
    world.answers({ coding: hang, 'coding-note': 'It took too long.' });
    const driven = world.drive({ coding });
    await until(() => world.agent.tasks.length === 1, 'the prompt');
    await world.clock.advance(6_000);
    await driven;
    const { status, error } = await world.read();
    assert.equal(status, 'BLOCKED_ERROR');
    assert.match((await world.bead('greet')).notes, /It took too long/);
    assert.ok(error);
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /timeouts\.iteration\) took longer than 5 s/);
  });

  const overflow = {
    kind: 'overflow',
    message: 'prompt is too long',
    statusCode: 400,
    continuable: false,
  } as const;
  const loop = {
    kind: 'loop',
    message: 'The agent made the same tool call 5 times.',
    statusCode: null,
    continuable: false,
  } as const;
  const cut = { kind: 'truncated', message: 'cut off', statusCode: null, continuable: false } as const;

  for (const failure of [overflow, loop, cut]) {
    it(`starts a fresh session on clean files after an agent that ended in "${failure.kind}"`, async () => {
      const world = await newWorld.in('CODING', {
        settings: { structuredRetryCount: 0 },
        limits: { maxIterations: 2 },
      });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 1) world.write('half.txt', 'half done\n');
          else world.write('greet.txt', 'hello\n');
          return turn === 1 ? failure : report('greet');
        },
      });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      const bead = await world.bead('greet');
      assert.equal(bead.iteration, 2);
      assert.match(bead.notes, /Iteration 1 failed/);
      assert.equal(
        await world.repository.git('show', `${attemptRef('TST-1', 'greet', 1)}:half.txt`),
        'half done',
      );
      assert.notEqual(world.agent.calls.at(-1)?.session, 'ses_1');
    });
  }

  it('ends an iteration that gets nowhere: the same files, or the same failure again and again', async () => {
    const world = await newWorld();
    const limits = { maxIterations: 2, maxContinuations: 10 };
    await world.begin('CODING', { limits });
    let written = 0;
    const tries = new Map<string, number>();
    const next = ({ session }: { readonly session: string }): string => {
      tries.set(session, (tries.get(session) ?? 0) + 1);
      // The first session changes nothing, the second what doesn't matter.
      if (tries.size === 2) world.write('other.txt', `${String((written += 1))}\n`);
      return report('greet');
    };
    world.answers({ coding: next, 'coding-continue': next, pivot: next, 'coding-note': 'It did not help.' });
    await world.drive({ coding });
    // Three rounds, then the pivot, then what counts from the check before it.
    assert.deepEqual([...tries.values()], [5, 5]);
    assert.equal(world.agent.tasks.filter((task) => task === 'pivot').length, 2);
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    const tried = error.diagnostics['tried'] as readonly { readonly problem: string }[];
    assert.match(tried[0]?.problem ?? '', /files were the same at 3 checks in a row.*same files 3 of 3/);
    assert.match(tried[1]?.problem ?? '', /3 checks in a row failed in the same way/);
  });

  it('lets the second model try where the main implementer failed, and says at the end what was tried', async () => {
    const world = await newWorld();
    const settings = { secondImplementer: 'demo/second' };
    await world.begin('CODING', { settings, limits: { maxIterations: 4, maxContinuations: 0 } });
    world.answers({ coding: report('greet'), 'coding-note': 'Nothing was written.' });
    await world.drive({ coding });
    const asked = world.agent.calls.filter(({ task }) => task === 'coding');
    assert.deepEqual(
      asked.map(({ member }) => member),
      ['demo/main', 'demo/main', 'demo/second', 'demo/second'],
    );
    const notes = world.agent.calls.filter(({ task }) => task === 'coding-note');
    assert.equal(notes.at(-1)?.member, 'demo/second', 'its note is asked of the session that failed');
    const { error } = await world.read();
    assert.deepEqual([error?.code, error?.args['iterations']], ['BEAD_RETRY_BUDGET_EXHAUSTED', 4]);
    const tried = error?.diagnostics['tried'] as readonly {
      readonly iteration: number;
      readonly model: string;
      readonly problem: string;
    }[];
    assert.deepEqual(
      tried.map(({ iteration, model }) => `${String(iteration)} ${model}`),
      ['1 demo/main', '2 demo/main', '3 demo/second', '4 demo/second'],
    );
    assert.match(tried[0]?.problem ?? '', /grep -q hello greet\.txt/);
  });

  describe('and a provider that has no time', () => {
    const busy = (inMs?: number): AgentFailure => ({
      kind: 'quota',
      message: 'You reached your limit.',
      statusCode: 429,
      continuable: true,
      ...(inMs === undefined ? {} : { retryAfterMs: inMs }),
    });

    it('waits as long as the provider asks for, visibly, and continues in the same session', async () => {
      const world = await newWorld.in('CODING', {
        limits: { maxIterations: 1, maxContinuations: 0, perIterationTimeout: minutes(5) },
      });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hel');
          return busy(minutes(40));
        },
        'continue please': () => {
          assert.equal(world.readWorktree('greet.txt'), 'hel', 'nothing of the work is lost');
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
      });
      const started = world.clock.now();
      const driven = world.drive({ coding });
      const hold = await until(async () => (await world.read()).hold, 'the ticket is held');
      assert.deepEqual([hold.kind, hold.detail], ['quota', 'You reached your limit.']);
      assert.ok(hold.until && hold.until >= started + minutes(40) && hold.until < started + minutes(41));
      const [summary] = await world.store.summaries([world.ticket]);
      assert.equal(summary?.holdUntil, hold.until);
      await world.clock.advance(minutes(39));
      assert.deepEqual(world.agent.tasks, ['coding']);
      await world.clock.advance(minutes(2));
      await driven;
      assert.deepEqual(world.agent.tasks, ['coding', 'continue please']);
      const { status, hold: after } = await world.read();
      assert.deepEqual([status, after], ['RUNNING_FINAL_TEST', null]);
      assert.equal((await world.bead('greet')).iteration, 1);
    });

    it('keeps the time over a restart, and asks nothing twice', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1, maxContinuations: 0 } });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          return busy(minutes(40));
        },
        'continue please': report('greet'),
      });
      const killed = world.drive({ coding }).catch(() => undefined);
      const hold = await until(async () => (await world.read()).hold, 'the ticket is held');
      world.crash();
      const driven = world.drive({ coding });
      await world.clock.advance(minutes(30));
      assert.equal((await world.read()).hold?.until, hold.until);
      assert.deepEqual(world.agent.tasks, ['coding']);
      await world.clock.advance(minutes(11));
      await Promise.all([driven, killed]);
      await world.isIn('RUNNING_FINAL_TEST');
      assert.deepEqual(world.agent.tasks, ['coding', 'continue please']);
    });

    it('continues at once when a person resumes the ticket', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1, maxContinuations: 0 } });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          return busy(minutes(40));
        },
        'continue please': report('greet'),
      });
      const driven = world.drive({ coding });
      await until(async () => (await world.read()).hold, 'the ticket is held');
      await world.post('resume', {});
      await driven;
      await world.isIn('RUNNING_FINAL_TEST');
      assert.deepEqual(world.agent.tasks, ['coding', 'continue please']);
    });

    it('waits longer each time if the provider names no time, until the limit, which it then offers to raise', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1, providerWait: minutes(10) } });
      world.answers({ coding: () => busy(), 'continue please': () => busy() });
      const driven = world.drive({ coding });
      for (const expected of [1, 2, 5]) {
        const hold = await until(async () => (await world.read()).hold, 'the ticket is held');
        assert.equal((hold.until ?? 0) - world.clock.now(), minutes(expected));
        await world.clock.advance(minutes(expected));
        await until(async () => (await world.read()).hold?.until !== hold.until, 'the hold is over');
      }
      await driven;
      const { status, error, previousStatus } = await world.read();
      assert.deepEqual([status, error?.code, error?.continuable], ['BLOCKED_ERROR', 'PROVIDER_QUOTA', true]);
      assert.deepEqual(error && limitsBehind(error, previousStatus), ['providerWait']);
    });

    it('blocks at once where waiting is off', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1, providerWait: 0 } });
      world.answers({ coding: () => busy(minutes(1)) });
      await world.drive({ coding });
      assert.equal((await world.read()).error?.code, 'PROVIDER_QUOTA');
    });

    it('continues in the same session when OpenCode ended, without waiting', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1 } });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          return die;
        },
        'continue please': report('greet'),
      });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      assert.deepEqual(
        world.agent.calls.map(({ task, session }) => [task, session]),
        [
          ['coding', 'ses_1'],
          ['continue please', 'ses_1'],
        ],
      );
    });
  });

  describe('and a session that is lost again and again', () => {
    const causes = async (world: Awaited<ReturnType<typeof newWorld>>) => {
      const { failures } = (await world.json('bead_failures:greet')) as {
        failures: { iteration: number; interrupted: boolean; failure: { cause: string } }[];
      };
      return failures.map(({ iteration, interrupted, failure }) => [iteration, interrupted, failure.cause]);
    };

    it('ends its iteration the third time, and a fresh session starts', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 2 } });
      world.answers({
        coding: ({ session }) => {
          if (session === 'ses_1') return die;
          world.write('greet.txt', 'hello\n');
          return report('greet');
        },
        'continue please': () => die,
      });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      const asked = world.agent.calls.filter(({ session }) => session === 'ses_1').map(({ task }) => task);
      assert.deepEqual(asked.slice(0, 3), ['coding', 'continue please', 'continue please']);
      assert.deepEqual(await causes(world), [[1, false, 'session_lost']]);
      assert.equal((await world.bead('greet')).iteration, 2);
    });

    it('ends its iteration, too, if a process ends with it each time, hours apart', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 2 } });
      world.answers({
        coding: ({ turn }) => {
          if (turn === 4) {
            world.write('greet.txt', 'hello\n');
            return report('greet');
          }
          world.crash();
          return die;
        },
      });
      for (let at = 0; at < 3; at += 1) {
        await world.driveUntilKilled({ coding });
        await world.clock.advance(minutes(60));
      }
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      assert.deepEqual(await causes(world), [[1, false, 'session_lost']]);
    });

    it('counts what is lost while checks are repaired: the third interrupted iteration of a bead is a failed one', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 1 } });
      world.answers({
        coding: report('greet'),
        'coding-continue': ({ session }) => {
          world.agent.sessions.delete(session);
          world.crash();
          return die;
        },
      });
      for (let at = 0; at < 3; at += 1) {
        await world.driveUntilKilled({ coding });
        await world.clock.advance(minutes(60));
      }
      await world.drive({ coding });
      assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
      assert.deepEqual(await causes(world), [
        [1, true, 'session_lost'],
        [2, true, 'session_lost'],
        [3, false, 'session_lost'],
      ]);
    });
  });

  describe('and what the coder is told', () => {
    it('has the rules of the repository for its folders, the commands with their times, and what earlier beads decided', async () => {
      const world = await newWorld({
        'AGENTS.md': 'Write British English.\n',
        'CLAUDE.md': '@AGENTS.md\n',
        'lib/AGENTS.md': 'No classes in lib.\n',
        'other/AGENTS.md': 'Nobody works here.\n',
      });
      const second = {
        id: 'second',
        testCommands: ['true'],
        unprovedReason: 'Nothing changes.',
        targetFiles: ['lib/second.txt'],
      };
      await world.begin('CODING', {
        beads: [{}, { ...second, dependencies: { blocked_by: ['greet'], blocks: [] } }],
      });
      await world.prepared({ project_commands: { test_full: ['true'], lint_full: ['sleep 0'] } });
      const run = world.shell.run.bind(world.shell);
      world.shell.run = async (...args) => ({
        ...(await run(...args)),
        durationMs: args[0] === 'true' ? 400_000 : 2_000,
      });
      const prompts: string[] = [];
      world.answers({
        coding: ({ whole }) => {
          prompts.push(whole);
          const id = prompts.length === 1 ? 'greet' : 'second';
          world.write(id === 'greet' ? 'greet.txt' : 'lib/second.txt', 'hello\n');
          const record =
            'summary: "Done."\ndecisions: ["Greetings end with a line feed."]\nnotes_for_reviewer: ["Look at greet.txt."]';
          return report(id).replace(/summary: .*/, record);
        },
      });
      await world.drive({ coding }, 'RUNNING_FINAL_TEST');
      const [first = '', later = ''] = prompts;
      assert.match(first, /AGENTS\.md \(for the whole repository\)\s+Write British English\./);
      assert.doesNotMatch(first, /No classes in lib|Nobody works here|@AGENTS/);
      assert.match(later, /Write British English\.[^]*lib\/AGENTS\.md \(for lib\/\)\s+No classes in lib\./);
      assert.match(
        first,
        /test: `true` \(on the untouched base it took 400 s; run it with `timeout: 1200000`\)/,
      );
      assert.match(first, /lint: `sleep 0` \(on the untouched base it took 2 s\)/);
      assert.doesNotMatch(first, /line feed/);
      assert.match(
        later,
        /Bead greet: Greet by name\s+- Decided: Greetings end with a line feed\.\n- Noted for reviewers: Look at greet\.txt\./,
      );
    });

    it('keeps what is meant for one iteration until one has ended', async () => {
      const world = await newWorld.in('CODING', { limits: { maxIterations: 2, maxContinuations: 1 } });
      await world.post('context', { text: 'Only now.', scope: 'once' });
      const prompts: string[] = [];
      world.answers({
        coding: ({ whole }) => {
          prompts.push(whole);
          if (prompts.length === 1) world.crash();
          if (prompts.length === 1) return die;
          if (prompts.length > 2) world.write('greet.txt', 'hello\n');
          return report('greet', { tests: prompts.length > 2 ? 'pass' : 'fail', acknowledged: ['post-1'] });
        },
      });
      await world.driveUntilKilled({ coding });
      // What another version began is given up.
      await world.drive({ coding: { ...coding, version: coding.version + 1 } });
      await world.isIn('RUNNING_FINAL_TEST');
      assert.deepEqual(
        prompts.map((prompt) => prompt.includes('Only now.')),
        [true, true, false],
      );
    });
  });
});
