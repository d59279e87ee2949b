import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { attemptRef } from '../../../src/domain/core/ids.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { fixBead, executionWorlds, oneTry, report } from '../../support/engine/executionWorld.ts';

describe('coding', () => {
  const newWorld = executionWorlds();

  it('writes commits as the repository does, with the same trailers', async () => {
    const world = await newWorld.in('CODING', {
      beads: [{ issueType: 'bug', testCommands: ['grep -q hello greet.txt'] }],
    });
    await world.put('commit_convention', { style: 'conventional', because: 'commitlint.config.js' });
    world.answersGreeting();
    await world.drive({ coding });
    assert.deepEqual(await world.subjects(), ['fix: greet by name']);
    const [commit] = await world.git.commits(world.worktree, world.start, 'HEAD');
    assert.deepEqual(commit?.trailers, { Ticket: 'TST-1', Bead: 'greet', Iteration: '1' });
    const told = world.events.flatMap((event) =>
      event.type === 'activity' && event.bead === 'greet' && event.iteration === 1 ? [event] : [],
    );
    assert.ok(told.some(({ kind }) => kind === 'text'));
    const states = told.flatMap(({ call }) => (call?.command?.startsWith('grep') ? [call.state] : []));
    assert.deepEqual(states.slice(0, 2), ['running', 'done']);
  });

  it('codes beads in dependency order, one commit each, with the evidence the engine saw', async () => {
    const world = await newWorld.in('CODING', {
      beads: [
        {
          id: 'second',
          testCommands: ['grep -q two second.txt'],
          dependencies: { blocked_by: ['greet'], blocks: [] },
        },
        { id: 'greet', testCommands: ['grep -q hello greet.txt'] },
      ],
    });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "greet"') ? 'greet' : 'second';
        world.write(`${id}.txt`, id === 'greet' ? 'hello\n' : 'two\n');
        return report(id);
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(second): Greet by name', 'bead(greet): Greet by name']);
    const [, first] = await world.git.commits(world.worktree, world.start, 'HEAD');
    assert.deepEqual(first?.trailers, { Ticket: 'TST-1', Bead: 'greet', Iteration: '1' });
    const execution = await world.json('bead_execution:greet');
    assert.deepEqual(
      (execution?.['evidence'] as { command: string; exitCode: number }[]).map(({ command, exitCode }) => [
        command,
        exitCode,
      ]),
      [['grep -q hello greet.txt', 0]],
    );
    assert.match((await world.store.artifact('TST-1', 'bead_diff:greet'))?.content ?? '', /\+hello/);
    const bead = await world.bead('greet');
    assert.equal(bead.status, 'done');
    assert.notEqual(bead.completedAt, '');
    assert.equal(bead.beadStartCommit, world.start);
  });

  it("takes nothing as done on the model's word: keeps it working, notes, keeps the attempt, resets, starts again", async () => {
    const world = await newWorld.in('CODING');
    const sessions: string[] = [];
    world.answers({
      coding: (call) => {
        sessions.push(call.session);
        world.write('greet.txt', sessions.length === 1 ? 'wrong\n' : 'hello\n');
        if (sessions.length === 1) world.write('stray.txt', 'x\n');
        else
          assert.equal(
            existsSync(join(world.worktree, 'stray.txt')),
            false,
            'the second iteration begins clean',
          );
        return report('greet');
      },
      'coding-continue': (call) => {
        assert.equal(call.session, sessions[0], 'the same session goes on');
        assert.match(call.whole, /grep -q hello greet\.txt.*exited with 1/);
        return report('greet');
      },
      'coding-note': (call) => {
        assert.equal(call.session, sessions[0]);
        return 'Write hello, not wrong.';
      },
    });
    await world.drive({ coding });
    assert.deepEqual(world.agent.tasks, ['coding', 'coding-continue', 'coding-note', 'coding']);
    await world.isIn('RUNNING_FINAL_TEST');
    assert.notEqual(sessions[1], sessions[0]);
    const bead = await world.bead('greet');
    assert.deepEqual([bead.status, bead.iteration], ['done', 2]);
    assert.match(bead.notes, /Write hello, not wrong\./);
    assert.match(world.agent.calls.at(-1)?.whole ?? '', /Write hello, not wrong\./);
    const kept = await world.repository.git(
      'show',
      '--name-only',
      '--format=',
      attemptRef('TST-1', 'greet', 1),
    );
    assert.deepEqual(kept.split('\n').sort(), ['greet.txt', 'stray.txt']);
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal(await world.repository.git('show', 'ticket/TST-1:greet.txt'), 'hello');
  });

  it('runs the tests of a bead whose marker admits that it fails, and accepts nothing of it although they pass', async () => {
    const world = await newWorld.in('CODING', { limits: oneTry });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        return report('greet', { tests: 'fail' });
      },
    });
    await world.drive({ coding });
    const ticket = await world.read();
    assert.deepEqual([ticket.status, ticket.error?.code], ['BLOCKED_ERROR', 'BEAD_RETRY_BUDGET_EXHAUSTED']);
    assert.deepEqual(world.shell.commands, ['grep -q hello greet.txt']);
    assert.deepEqual(await world.subjects(), []);
  });

  it("stops after the allowed iterations, and continues with the user's note after a retry", async () => {
    const world = await newWorld.in('CODING', { limits: { maxIterations: 2, maxContinuations: 0 } });
    const down = { kind: 'provider', message: 'down', statusCode: 500, continuable: true } as const;
    world.answers({ coding: report('greet'), 'coding-note': down });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    assert.equal(world.agent.tasks.filter((task) => task === 'coding').length, 2);
    assert.deepEqual(
      [(await world.bead('greet')).status, (await world.bead('greet')).iteration],
      ['error', 2],
    );
    assert.deepEqual(await world.git.status(world.worktree), []);
    assert.match(
      (await world.bead('greet')).notes,
      /exited with/,
      "without a model's note there is a plain one",
    );

    await world.post('retry', { note: 'The file is greet.txt.' });
    world.answers({
      coding: ({ whole }) => {
        assert.match(whole, /The file is greet\.txt\./);
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal((await world.bead('greet')).iteration, 3);
  });

  it('records a bead that needed no change as such', async () => {
    const world = await newWorld.in('CODING', {
      beads: [{ testCommands: ['test -f README.md'], unprovedReason: 'It may be there already.' }],
    });
    world.answers({ coding: report('greet') });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await world.subjects(), []);
    assert.deepEqual(await world.json('bead_commit:greet'), {
      schema_version: 1,
      beadId: 'greet',
      iteration: 1,
      commit: null,
      noop: true,
      leftOut: [],
      files: [],
    });
  });

  it('leaves generated files out, folds in what the agent committed itself', async () => {
    const world = await newWorld.in('CODING');
    world.answers({
      coding: async () => {
        world.write('greet.txt', 'hello\n');
        world.write('debug.log', 'noise\n');
        await world.repository.git('-C', world.worktree, 'add', 'greet.txt');
        await world.repository.git('-C', world.worktree, 'commit', '--quiet', '-m', 'My own commit');
        world.write('more.txt', 'more\n');
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.deepEqual(
      (await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1')).split('\n'),
      ['greet.txt', 'more.txt'],
    );
    assert.deepEqual((await world.json('bead_commit:greet'))?.['leftOut'], ['debug.log']);
  });

  it("keeps the worktree when a bead can't be committed, and only finalizes after a retry", async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    const adopt = world.git.adopt.bind(world.git);
    world.git.adopt = () =>
      Promise.reject(new BeadsmithError('GIT_FAILED', { command: 'update-ref', reason: 'no room' }));
    await world.drive({ coding });
    const blocked = await world.read();
    assert.equal(blocked.error?.code, 'BEAD_FINALIZATION_FAILED');
    assert.equal((await world.bead('greet')).status, 'error');
    assert.equal(world.readWorktree('greet.txt'), 'hello\n');

    world.git.adopt = adopt;
    await world.post('retry', { note: '' });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(world.agent.tasks, ['coding'], 'nothing is coded again');
    assert.equal(
      world.shell.commands.length,
      2,
      'nothing is checked again: once with the work, once without it',
    );
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal((await world.bead('greet')).iteration, 1);
  });

  it('commits once, however often it is killed around the commit', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    const adopt = world.git.adopt.bind(world.git);
    let made = '';
    world.git.adopt = async (...args) => {
      await adopt(...args);
      made = args[1];
      world.crash();
    };
    await world.driveUntilKilled({ coding });
    world.git.adopt = () => Promise.reject(new Error('The branch has the commit already.'));
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal(await world.git.head(world.worktree), made, 'it is the very same commit');
    assert.deepEqual(world.agent.tasks, ['coding'], 'the prompt was sent once');
    assert.equal((await world.json('bead_commit:greet'))?.['noop'], false);
  });

  it('refuses to commit files that changed after they were checked', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    const scratchChanges = world.git.scratchChanges.bind(world.git);
    world.git.scratchChanges = async (name) => {
      world.write('greet.txt', `hello ${String(world.shell.commands.length)}\n`);
      return scratchChanges(name);
    };
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_FINALIZATION_FAILED');
    assert.deepEqual(await world.subjects(), []);
  });

  it('reports what stopped a proof, not what failed while it was ended', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    world.runner = {
      run: () =>
        Promise.reject(new BeadsmithError('GIT_FAILED', { command: 'the shell', reason: 'it is gone' })),
    };
    world.git.scratchChanges = () => Promise.reject(new Error('the scratch worktree is gone'));
    await world.drive({ coding });
    assert.deepEqual((await world.read()).error?.args, { command: 'the shell', reason: 'it is gone' });
  });

  it('says which beads wait when none can run', async () => {
    const world = await newWorld.in('CODING', {
      beads: [{ status: 'error' }, { id: 'second', dependencies: { blocked_by: ['greet'], blocks: [] } }],
    });
    await world.drive({ coding });
    const { error } = await world.read();
    assert.deepEqual([error?.code, error?.args['beads']], ['BEAD_DEADLOCK', 'greet, second']);
  });

  it('gives one iteration what was meant for it once, and every later prompt what is meant always', async () => {
    const world = await newWorld.in('CODING', {
      beads: [{}, { id: 'second', testCommands: ['true'], unprovedReason: 'Nothing changes.' }],
    });
    await world.post('context', { text: 'Only now.', scope: 'once' });
    await world.post('context', { text: 'From now on.', scope: 'always' });
    world.answers({
      coding: ({ whole }) => {
        world.write('greet.txt', 'hello\n');
        return whole.includes('"id": "greet"')
          ? report('greet', { acknowledged: ['post-1', 'post-2'] })
          : report('second');
      },
    });
    await world.drive({ coding });
    const [first, second] = world.agent.calls.map(({ whole }) => whole);
    assert.deepEqual(
      [/Only now\./, /From now on\./].map((text) => [text.test(first ?? ''), text.test(second ?? '')]),
      [
        [true, false],
        [true, true],
      ],
    );
  });

  it('turns the changes a reviewer asked for into fix beads with a receipt each', async () => {
    const world = await newWorld.in('CODING', { beads: [{ status: 'done' }] });
    await world.put(
      'changes_requested',
      { items: [{ text: 'Say it louder.', file: 'greet.txt', line: 1 }] },
      'WAITING_PR_REVIEW',
    );
    await world.enter('CODING', { by: 'changes', body: null });
    world.answers({
      'qa-fix': ({ whole, number }) => {
        assert.match(whole, number === 1 ? /Finding 1 \(greet\.txt, line 1\):\nSay it louder\./ : /in use/);
        return number === 1 ? fixBead('greet', 'greet') : fixBead('fix-loud', 'greet');
      },
      'structured-repair': fixBead('fix-loud', 'greet'),
      coding: world.writing({ 'greet.txt': 'hello HELLO\n' }, 'fix-loud'),
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.deepEqual(world.agent.tasks, ['qa-fix', 'structured-repair', 'coding']);
    const added = await world.bead('fix-loud');
    assert.deepEqual(
      [added.issueType, added.status, added.dependencies.blocked_by],
      ['qa-fix', 'done', ['greet']],
    );
    const receipt = await world.json('bead_amendment:fix-loud');
    assert.notEqual(receipt?.['plan_sha256_before'], receipt?.['plan_sha256_after']);
    assert.deepEqual(receipt?.['requested'], [{ text: 'Say it louder.', file: 'greet.txt', line: 1 }]);
  });
});
