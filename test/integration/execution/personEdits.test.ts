import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { coding } from '../../../src/phases/coding/coding.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { type ExecutionWorld, executionWorlds, oneTry, report } from '../../support/engine/executionWorld.ts';
import { hang } from '../../support/models/fakeAgent.ts';
import { until } from '../../support/until.ts';

/** Edits of a person are neither the agent's nor lost. */
describe("a person's edits in the worktree of a ticket", () => {
  const newWorld = executionWorlds();
  const second = { id: 'second', testCommands: ['grep -q two second.txt'] };

  const filesOf = (world: ExecutionWorld, revision: string): Promise<string> =>
    world.repository.git('show', '--format=', '--name-only', revision);
  const answer = async (world: ExecutionWorld, choice: string): Promise<string> => {
    const { id, text } = await world.request();
    await world.post('question_reply', { request: id, answers: [[choice]] });
    return text;
  };

  it('become a commit of their own before a bead starts, if the person says so', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    world.write('README.md', '# Mine\n');
    world.write('mine.txt', 'mine\n');
    const driving = world.drive({ coding });
    const text = await answer(world, 'Commit');
    assert.match(text, /README\.md[^]*mine\.txt/);
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name', 'edit: README.md, mine.txt']);
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt');
    assert.equal(await filesOf(world, 'ticket/TST-1~1'), 'README.md\nmine.txt');
  });

  it('are taken out of the worktree otherwise, and stay under a ref that the question names', async () => {
    const world = await newWorld.in('CODING');
    world.answersGreeting();
    world.write('README.md', '# Mine\n');
    const driving = world.drive({ coding });
    const text = await answer(world, 'Leave out');
    await driving;
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
    const [ref = ''] = /refs\/beadsmith\/TST-1\/edits\/\w+/.exec(text) ?? [];
    assert.equal(await world.repository.git('show', `${ref}:README.md`), '# Mine');
  });

  it('are not in the commit of a bead whose session never touched them, and are asked about afterwards', async () => {
    const world = await newWorld.in('CODING', { beads: [{}, second] });
    world.agent.touched = async () => ({
      since: Date.now() - 60_000,
      paths: ['greet.txt', 'second.txt'],
      spans: [],
    });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        if (id === 'greet') world.write('README.md', '# Mine\n');
        world.write(`${id}.txt`, id === 'greet' ? 'hello\n' : 'two\n');
        return report(id);
      },
    });
    const driving = world.drive({ coding });
    await answer(world, 'Commit');
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), [
      'bead(second): Greet by name',
      'edit: README.md',
      'bead(greet): Greet by name',
    ]);
    assert.equal(await filesOf(world, 'ticket/TST-1~2'), 'greet.txt');
    assert.deepEqual((await world.json('bead_commit:greet'))?.['leftOut'], ['README.md']);
  });

  it('leave to the session what changed while its commands ran, and what was moved with its folder', async () => {
    const world = await newWorld.in('CODING', { files: { 'old/file.txt': 'moved\n' } });
    const spans: { from: number; to: number }[] = [];
    let since = 0;
    world.agent.touched = async () => ({ since, paths: [], spans });
    await sleep(20);
    world.answers({
      coding: () => {
        since = Date.now();
        world.write('greet.txt', 'hello\n');
        renameSync(join(world.worktree, 'old'), join(world.worktree, 'new'));
        mkdirSync(join(world.worktree, 'made'));
        world.write('made/more.txt', 'more\n');
        spans.push({ from: since, to: Date.now() });
        return report('greet');
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt\nmade/more.txt\nnew/file.txt');
  });

  it('do not keep a bead from the commit that was proved, when they were made during its checks', async () => {
    const world = await newWorld.in('CODING', { beads: [{}, second] });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        world.write(`${id}.txt`, id === 'greet' ? 'hello\n' : 'two\n');
        return report(id);
      },
    });
    const run = world.shell.run.bind(world.shell);
    world.shell.run = (...args) => {
      if (args[0].includes('hello')) world.write('README.md', '# Mine\n');
      return run(...args);
    };
    const driving = world.drive({ coding });
    await answer(world, 'Leave out');
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(second): Greet by name', 'bead(greet): Greet by name']);
  });

  it('are not what a bead left out of its commit, such as a program that its commands build', async () => {
    const world = await newWorld();
    const build = `printf '\\177ELF\\002 tests\\n' > run_tests && grep -q hello greet.txt`;
    await world.begin('CODING', { beads: [{ testCommands: [build] }, second] });
    world.answers({
      coding: ({ whole }) => {
        if (whole.includes('"id": "second"')) world.write('second.txt', 'two\n');
        else {
          world.write('greet.txt', 'hello\n');
          world.write('run_tests', '\u007FELF\u0002 tests\n');
        }
        return report(whole.includes('"id": "second"') ? 'second' : 'greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.read()).status, 'RUNNING_FINAL_TEST', 'nobody was asked');
  });

  it('survive the reset of a failed iteration', async () => {
    const world = await newWorld.in('CODING', { limits: { maxIterations: 2, maxContinuations: 0 } });
    world.agent.touched = async () => ({
      since: Date.now() - 60_000,
      paths: ['greet.txt', 'wrong.txt'],
      spans: [],
    });
    world.answers({
      coding: ({ turn }) => {
        if (turn === 1) world.write('README.md', '# Mine\n');
        if (turn === 1) world.write('wrong.txt', 'wrong\n');
        else world.write('greet.txt', 'hello\n');
        return report('greet');
      },
      'coding-note': 'It failed.',
    });
    const driving = world.drive({ coding });
    await answer(world, 'Commit');
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name', 'edit: README.md']);
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt');
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:wrong.txt'), 'wrong');
  });

  it('AT-35: never enter a commit of the loop, as little as a secret file, and no iteration that is taken back touches them', async () => {
    const world = await newWorld.in('CODING', { limits: { maxContinuations: 0 } });
    const checkout = (path: string): string => join(world.repository.root, path);
    writeFileSync(checkout('README.md'), '# Being written\n');
    writeFileSync(checkout('.env'), 'TOKEN=mine\n');
    world.agent.touched = async () => ({
      since: Date.now() - 60_000,
      paths: ['greet.txt', 'wrong.txt'],
      spans: [],
    });
    world.answers({
      coding: ({ turn }) => {
        if (turn === 1) {
          world.write('README.md', '# Mine\n');
          world.write('.env', 'TOKEN=mine\n');
          world.write('wrong.txt', 'wrong\n');
        } else {
          assert.ok(!existsSync(join(world.worktree, 'wrong.txt')), 'the tree is as before the iteration');
          world.write('greet.txt', 'hello\n');
        }
        return report('greet');
      },
      'coding-note': 'It wrote the wrong file.',
    });
    const driving = world.drive({ coding });
    const text = await answer(world, 'Leave out');
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name']);
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt');
    const [ref = ''] = /refs\/beadsmith\/TST-1\/edits\/\w+/.exec(text) ?? [];
    assert.equal(await world.repository.git('show', `${ref}:README.md`), '# Mine');
    // A file with secrets isn't offered as a commit; it stays under the attempt's ref.
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:.env'), 'TOKEN=mine');
    assert.equal(await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1:wrong.txt'), 'wrong');
    assert.deepEqual(
      ['README.md', '.env'].map((path) => readFileSync(checkout(path), 'utf8')),
      ['# Being written\n', 'TOKEN=mine\n'],
    );
  });

  it('survive a pause, after which a fresh session starts', async () => {
    const world = await newWorld.in('CODING');
    world.agent.touched = async () => ({
      since: Date.now() - 60_000,
      paths: ['greet.txt', 'half.txt'],
      spans: [],
    });
    world.answers({
      coding: ({ turn }) => {
        world.write(turn === 1 ? 'half.txt' : 'greet.txt', 'hello\n');
        return turn === 1 ? hang : report('greet');
      },
    });
    const cut = world.drive({ coding });
    await until(() => world.callsOf('coding').length === 1, 'the model is asked');
    await world.post('pause', {});
    await cut;
    world.write('README.md', '# Mine\n');
    await world.post('resume', {});
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt');
    assert.equal(world.readWorktree('README.md'), '# Mine\n', 'the final test asks about it');
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/greet/1-interrupted:half.txt'),
      'hello',
    );
  });

  it('survive a retry of a bead that failed, committed or not', async () => {
    const world = await newWorld.in('CODING', { limits: oneTry });
    world.answers({ coding: report('greet'), 'coding-note': 'It failed.' });
    await world.drive({ coding });
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    world.write('committed.txt', 'mine\n');
    await world.repository.git('-C', world.worktree, 'add', 'committed.txt');
    await world.repository.git('-C', world.worktree, 'commit', '--quiet', '-m', 'By hand');
    world.write('README.md', '# Mine\n');
    world.answersGreeting();
    await world.post('retry', { note: '' });
    const driving = world.drive({ coding });
    await answer(world, 'Commit');
    await driving;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(await world.subjects(), ['bead(greet): Greet by name', 'edit: README.md', 'By hand']);
    assert.equal(await filesOf(world, 'ticket/TST-1'), 'greet.txt');
  });

  it('are asked about before the final test', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', {
      beads: [{ status: 'done', testCommands: ['test -f README.md'], unprovedReason: 'Nothing changes.' }],
      limits: { maxIterations: 0 },
    });
    world.write('README.md', '# Mine\n');
    world.answers({
      'final-test': () =>
        '<FINAL_TEST_COMMANDS>\ncommands: ["test -d ."]\ntest_files: []\nmodified_files: []\nsummary: It works.\n</FINAL_TEST_COMMANDS>',
    });
    const driving = world.drive({ finalTest });
    await answer(world, 'Commit');
    await driving;
    await world.isIn('INTEGRATING_CHANGES');
    assert.deepEqual(await world.subjects(), ['edit: README.md']);
  });
});
