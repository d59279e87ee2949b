import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { failureBehind } from '../../../src/domain/beads/failure.ts';
import { Failures } from '../../../src/domain/beads/reports.ts';
import { finalTest } from '../../../src/phases/finalTest/finalTest.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds } from '../../support/engine/executionWorld.ts';

const commands = (command: string) =>
  `<FINAL_TEST_COMMANDS>\ncommands: ["${command}"]\ntest_files: [final.test.txt]\nsummary: The whole\n</FINAL_TEST_COMMANDS>`;

describe('the final test', () => {
  const newWorld = executionWorlds();

  it('is run by the engine, and tried again from the start after a failure, with a note', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST');
    world.answers({
      'final-test': ({ whole }) => {
        const again = whole.includes('Write ok into it.');
        assert.equal(existsSync(join(world.worktree, 'stray.txt')), false);
        world.write('final.test.txt', again ? 'ok\n' : 'bad\n');
        world.write('stray.txt', 'nobody declared this\n');
        world.write('README.md', '# Sample, changed\n');
        return commands('grep -q ok final.test.txt');
      },
      'final-test-note': ({ whole }) => {
        assert.match(whole, /grep -q ok final\.test\.txt.*exited with 1/);
        return 'Write ok into it.';
      },
    });
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
    assert.deepEqual(world.agent.tasks, ['final-test', 'final-test-note', 'final-test']);
    const [commit, ...others] = await world.git.commits(world.worktree, world.start, 'HEAD');
    assert.equal(commit?.subject, 'test(TST-1): final test');
    assert.deepEqual(commit.trailers, { Ticket: 'TST-1', Step: 'final-test' });
    assert.deepEqual(others, []);
    assert.deepEqual(
      (await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1')).split('\n'),
      ['README.md', 'final.test.txt'],
    );
    assert.deepEqual(await world.git.status(world.worktree), [], 'the stray file is gone from the worktree');
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/_final-test-1-strays:stray.txt'),
      'nobody declared this',
    );
    const report = await world.json('final_test_report');
    assert.deepEqual(
      (report?.['attempts'] as { passed: boolean }[]).map(({ passed }) => passed),
      [false, true],
    );
  });

  it('neither runs nor asks for what a skipped bead would have brought', async () => {
    const world = await newWorld();
    const left = {
      id: 'left',
      title: 'Wave',
      status: 'skipped' as const,
      testCommands: ['grep -q wave wave.txt'],
    };
    await world.begin('RUNNING_FINAL_TEST', { beads: [{ status: 'done' }, left] });
    world.write('greet.txt', 'hello\n');
    await world.git.commit(world.worktree, {
      message: 'bead(greet): work',
      trailers: { Bead: 'greet' },
      paths: ['greet.txt'],
    });
    let told = '';
    world.answers({
      'final-test': ({ whole }) => {
        told = whole;
        world.write('final.test.txt', 'hello');
        return commands('grep -q hello greet.txt');
      },
    });
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
    assert.match(told, /"id":"left","title":"Wave","skipped":"It was left out\./);
    assert.doesNotMatch(told, /grep -q wave/);
  });

  it('blocks after the allowed attempts and leaves the branch as it was', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', { limits: { maxIterations: 2 } });
    world.answers({
      'final-test': () => {
        world.write('final.test.txt', 'bad\n');
        return commands('false');
      },
    });
    await world.drive({ finalTest });
    const { error } = await world.read();
    assert.deepEqual([error?.code, error?.args['attempts']], ['FINAL_TEST_FAILED', 2]);
    assert.equal(error?.args['reason'], '`false` failed with exit code 1.');
    assert.equal(failureBehind(error.diagnostics)?.cause, 'checks_failed');
    assert.deepEqual(await world.subjects(), []);
    assert.deepEqual(await world.git.status(world.worktree), []);
    assert.equal((await world.json('final_test_report'))?.['passed'], false);
    const { failures } = Failures.parse(await world.json('final_test_failures'));
    assert.deepEqual(
      failures.map(({ iteration, failure, ref }) => [iteration, failure?.cause, ref]),
      [1, 2].map((number) => [
        number,
        'checks_failed',
        `refs/beadsmith/TST-1/_final-test-1-${String(number)}`,
      ]),
    );
    assert.match(failures[0]?.note ?? '', /^nothing to say$/);
    assert.equal(await world.repository.git('show', `${failures[0]?.ref ?? ''}:final.test.txt`), 'bad');
  });

  it('continues to manual QA when the ticket wants it, and records the whole suite without judging by it', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', { settings: { manualQaEnabled: true } });
    await world.prepared({ project_commands: { test_full: ['false'] } });
    world.answers({ 'final-test': commands('test -d .') });
    await world.drive({ finalTest }, 'GENERATING_QA_CHECKLIST');
    const report = await world.json('final_test_report');
    assert.deepEqual(
      (report?.['regression'] as { command: string; exitCode: number }[]).map(({ exitCode }) => exitCode),
      [1],
    );
    assert.equal(report?.['commit'], null);
  });

  it('has to fail on the base, or the agent continues with that', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', {
      beads: [{ status: 'done' }],
      limits: { maxIterations: 4 },
      files: { 'old.txt': 'old\n' },
    });
    world.write('greet.txt', 'hello\n');
    await world.git.commit(world.worktree, {
      message: 'bead(greet): work',
      trailers: { Bead: 'greet' },
      paths: ['greet.txt'],
    });
    const tries = ['true', 'exit 0', 'grep -q old old.txt', 'grep -q "$(cat final.test.txt)" greet.txt'];
    let tried = 0;
    world.answers({
      'final-test': () => {
        world.write('final.test.txt', 'hello');
        return commands((tries[tried++] ?? '').replaceAll('"', '\\"'));
      },
      'final-test-note': ({ whole }) => {
        assert.match(
          whole,
          tried < 3
            ? /The final test can't fail: `(?:true|exit 0)`/
            : /The final test would pass without this ticket/,
        );
        return 'Name a test that can fail.';
      },
    });
    await world.drive({ finalTest });
    assert.equal(tried, tries.length, 'each one before it was refused');
    await world.isIn('INTEGRATING_CHANGES');
    const report = (await world.json('final_test_report')) as {
      attempts: { evidence: { without?: { exitCode: number } }[] }[];
    };
    assert.equal(report.attempts.at(-1)?.evidence[0]?.without?.exitCode, 2);
  });

  it('uses nothing that the proofs of beads left in what the bootstrap made', async () => {
    const world = await newWorld({ '.gitignore': 'deps/\n' });
    const bead = {
      testCommands: ['echo patched > deps/lib && test -f greet.txt'],
      targetFiles: ['greet.txt'],
    };
    await world.begin('CODING', { beads: [bead], limits: { maxIterations: 1, maxContinuations: 0 } });
    await world.prepared({ bootstrap_commands: ['mkdir -p deps && echo clean > deps/lib'] });
    world.answers({
      coding: world.writing({ 'greet.txt': 'hello\n' }),
      'final-test': () => {
        world.write('final.test.txt', 'ok\n');
        return commands('grep -q clean deps/lib && test -f greet.txt');
      },
    });
    await world.drive({ coding, finalTest }, 'INTEGRATING_CHANGES');
  });

  it('is asked about where it makes other tests prove less', async () => {
    const test = "require('node:test')('adds', () => { require('node:assert').equal(1, 1); });\n";
    const world = await newWorld.in('RUNNING_FINAL_TEST', { files: { 'a.test.js': test } });
    world.answers({
      'final-test': ({ whole }) => {
        world.write('final.test.txt', 'ok\n');
        if (!whole.includes('Leave it.'))
          world.write('a.test.js', test.replace("'adds'", "'adds', { skip: true }"));
        return commands('test -f final.test.txt');
      },
      'final-test-note': ({ whole }) => {
        assert.match(whole, /a\.test\.js:1: a test is skipped/);
        return 'Leave it.';
      },
    });
    const driving = world.drive({ finalTest });
    const request = await world.request();
    assert.match(request.text, /^The final test passes its checks, but/);
    await world.post('question_reply', { request: request.id, answers: [['Send back']] });
    await driving;
    await world.isIn('INTEGRATING_CHANGES');
    assert.equal(world.readWorktree('a.test.js'), test);
  });

  it('may pass on the base where the plan says of every bead why nothing can fail', async () => {
    const world = await newWorld.in('RUNNING_FINAL_TEST', {
      beads: [{ status: 'done', testCommands: ['test -f README.md'], unprovedReason: 'Documentation.' }],
    });
    world.answers({ 'final-test': commands('test -f README.md') });
    await world.drive({ finalTest }, 'INTEGRATING_CHANGES');
  });
});
