import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { codedBead } from '../../../support/engine/codedBead.ts';
import { executionWorlds, oneTry, report } from '../../../support/engine/executionWorld.ts';

describe('the proof of a bead', () => {
  const newWorld = executionWorlds();

  const coded = async (files: Parameters<typeof codedBead>[1], bead: Parameters<typeof codedBead>[2]) =>
    codedBead(await newWorld(), files, bead);

  const committed = async (world: Awaited<ReturnType<typeof newWorld>>) =>
    (await world.repository.git('diff', '--name-only', 'main', 'ticket/TST-1')).split('\n');

  it('commits the only file of a bead, whatever its folder is called', async () => {
    const world = await coded(
      { 'bin/tool.sh': 'echo hello\n' },
      { testCommands: ['sh bin/tool.sh | grep -q hello'] },
    );
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await committed(world), ['bin/tool.sh']);
  });

  it('commits a file with the name of an output, if the tests need it and do not make it', async () => {
    const files = { 'greet.txt': 'hello\n', 'build/rules.log': 'hello\n' };
    const world = await coded(files, { testCommands: ['cmp greet.txt build/rules.log'] });
    assert.equal((await world.bead('greet')).status, 'done');
    assert.deepEqual(await committed(world), ['build/rules.log', 'greet.txt']);
  });

  it('leaves out what the tests make themselves, in the worktree or in the proof', async () => {
    const files = { 'greet.txt': 'hello\n', 'main.o': 'object\n', 'junit.xml': '<x/>\n' };
    const make =
      'cp greet.txt main.o && touch junit.xml late.txt && echo hello >> README.md && grep -q hello main.o';
    const world = await coded(files, { testCommands: [make] });
    assert.deepEqual(await committed(world), ['greet.txt']);
    assert.deepEqual((await world.json('bead_commit:greet'))?.['leftOut'], ['junit.xml', 'main.o']);
    assert.equal(existsSync(join(world.worktree, 'late.txt')), false);
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
  });

  it('leaves out a tracked file that the tests write again each time, unless they fail without its change', async () => {
    const files = { 'greet.txt': 'hello\n', 'README.md': '# Sample\nran\n' };
    const noisy = 'echo ran >> README.md && grep -q hello greet.txt';
    const world = await coded(files, { testCommands: [noisy], targetFiles: [] });
    assert.deepEqual(await committed(world), ['greet.txt']);
    assert.deepEqual((await world.json('bead_commit:greet'))?.['leftOut'], ['README.md']);
    const needed = await coded(files, {
      testCommands: [`grep -q ran README.md && ${noisy}`],
      targetFiles: [],
    });
    assert.deepEqual(await committed(needed), ['README.md', 'greet.txt']);
  });

  it('takes such a file back in the worktree, so that the next bead is proved once, and nobody is asked about it', async () => {
    const world = await newWorld();
    const noisy = 'echo ran >> README.md && grep -q hello greet.txt';
    const second = { id: 'second', testCommands: ['grep -q two second.txt'], targetFiles: [] };
    await world.begin('CODING', { beads: [{ testCommands: [noisy], targetFiles: [] }, second] });
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "second"') ? 'second' : 'greet';
        if (id === 'greet') world.write('README.md', '# Sample\nran\n');
        world.write(`${id}.txt`, id === 'greet' ? 'hello\n' : 'two\n');
        return report(id);
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    assert.equal(world.readWorktree('README.md'), '# Sample\n');
    assert.equal(
      await world.repository.git('show', 'refs/beadsmith/TST-1/worktree/commands:README.md'),
      '# Sample\nran',
    );
    const runs = await world.store.runs(world.ticket);
    const keys = (await Promise.all(runs.map(({ id }) => world.store.steps(id))))
      .flat()
      .map(({ key }) => key);
    assert.deepEqual(
      [
        keys.filter((key) => key.includes('proof-less')).length,
        keys.filter((key) => key.endsWith('proof')).length,
      ],
      [1, 2],
    );
  });

  it('leaves out a program that the tests build themselves, whatever it is called, and keeps one that they need', async () => {
    const program = '\u007FELF\u0002 tests\n';
    const build = `printf '\\177ELF\\002 tests\\n' > run_tests && grep -q hello greet.txt`;
    const world = await coded(
      { 'greet.txt': 'hello\n', run_tests: program },
      { testCommands: [build], targetFiles: [] },
    );
    assert.deepEqual(await committed(world), ['greet.txt']);
    const needed = await coded(
      { 'greet.txt': 'hello\n', tool: program },
      { testCommands: ['cmp greet.txt greet.txt && test -s tool'] },
    );
    assert.deepEqual(await committed(needed), ['greet.txt', 'tool']);
  });

  it('takes nothing as proved that is green only by what is not committed', async () => {
    const world = await coded(
      { 'greet.txt': 'hello\n', 'secret.ignored': 'x\n' },
      { testCommands: ['test -f secret.ignored'] },
    );
    const { error } = await world.read();
    assert.equal(error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    const told =
      world.agent.calls.find(({ whole }) => /test -f secret\.ignored.*exited with 1/.test(whole))?.whole ??
      '';
    assert.match(
      told,
      /It passes in your worktree, which has what the commit doesn't, .*: secret\.ignored\./,
    );
  });

  it('fails a bead whose work holds a repository of its own, or a name that is not UTF-8', async () => {
    const world = await newWorld.in('CODING', { limits: { maxIterations: 0, maxContinuations: 1 } });
    world.answers({
      coding: async () => {
        world.write('greet.txt', 'hello\n');
        await world.repository.git('init', '--quiet', join(world.worktree, 'inner'));
        world.write('inner/lost.txt', 'lost\n');
        writeFileSync(Buffer.concat([Buffer.from(`${world.worktree}/bad-`), Buffer.from([0xff])]), 'lost\n');
        return report('greet');
      },
      'coding-continue': () => {
        rmSync(join(world.worktree, 'inner/.git'), { recursive: true });
        rmSync(Buffer.concat([Buffer.from(`${world.worktree}/bad-`), Buffer.from([0xff])]));
        return report('greet');
      },
    });
    await world.drive({ coding });
    const told = world.agent.calls.at(-1)?.whole ?? '';
    assert.match(told, /- inner: a git repository of its own/);
    assert.match(told, /- bad-\uFFFD: its name is not valid UTF-8/);
    assert.deepEqual(await committed(world), ['greet.txt', 'inner/lost.txt']);
  });

  it('shows where it ran, which is not the ticket’s worktree', async () => {
    const world = await coded({ 'greet.txt': 'hello\n' }, { testCommands: ['grep -q hello greet.txt'] });
    const execution = (await world.json('bead_execution:greet')) as {
      evidence: { cwd: string }[];
      candidate: string;
    };
    assert.notEqual(execution.evidence[0]?.cwd, world.worktree);
    assert.equal(await world.git.head(world.worktree), execution.candidate);
  });

  describe('of tests that became weaker', () => {
    const green = (name: string) => `require('node:test')('${name}', () => {});\n`;
    const test =
      "const test = require('node:test');\ntest('adds', () => { require('node:fs').readFileSync('sum.txt'); });\n";

    /** A red test is skipped; a person is asked. */
    async function cheated() {
      const world = await newWorld.in('CODING', {
        beads: [{ testCommands: ['node --test --test-isolation=none a.test.js', 'test -f greet.txt'] }],
        limits: { maxIterations: 0, maxContinuations: 1 },
        files: { 'a.test.js': test },
      });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          world.write('a.test.js', test.replace("test('adds'", "test.skip('adds'"));
          return report('greet');
        },
        'coding-continue': () => {
          world.write('a.test.js', test);
          world.write('sum.txt', '3\n');
          return report('greet');
        },
      });
      return world;
    }

    it('asks a person, and keeps a receipt of their yes', async () => {
      const world = await cheated();
      const driving = world.drive({ coding });
      const request = await world.request();
      assert.match(request.text, /a\.test\.js:2: a test is skipped/);
      await world.post('question_reply', { request: request.id, answers: [['Accept']] });
      await driving;
      assert.equal((await world.bead('greet')).status, 'done');
      const receipt = await world.json('weakened_tests_receipt:greet');
      assert.equal(receipt?.['commit'], (await world.json('bead_commit:greet'))?.['commit']);
    });

    it('finds fewer tests that ran, though none was changed', async () => {
      const world = await newWorld({
        'a.test.js': green('a'),
        'b.test.js': green('b'),
        'tests.list': 'a.test.js b.test.js\n',
      });
      await world.begin('CODING', { beads: [{ testCommands: ['test -f greet.txt'] }], limits: oneTry });
      await world.prepared({
        project_commands: {
          test_full: ['node --test --test-isolation=none --test-reporter=tap $(cat tests.list)'],
        },
      });
      world.answers({
        coding: world.writing({ 'greet.txt': 'hello\n', 'tests.list': 'a.test.js\n' }),
      });
      const driving = world.drive({ coding });
      const request = await world.request();
      assert.match(
        request.text,
        /only some of the tests run \(2 tests ran before this work, and 1 with it: `node --test/,
      );
      await world.post('question_reply', { request: request.id, answers: [['Accept']] });
      await driving;
      assert.equal((await world.bead('greet')).status, 'done');
    });

    it('finds a changed program that the scripts of the project start', async () => {
      const scripts = JSON.stringify({ scripts: { test: 'node tools/run.js' } });
      const world = await newWorld.in('CODING', {
        beads: [{ testCommands: ['test -f greet.txt'] }],
        limits: oneTry,
        files: { 'package.json': scripts, 'tools/run.js': 'process.exitCode = 1;\n' },
      });
      await world.prepared({ project_commands: { test_full: ['npm test'] } });
      world.answers({
        coding: world.writing({ 'greet.txt': 'hello\n', 'tools/run.js': '' }),
      });
      const driving = world.drive({ coding });
      const request = await world.request();
      assert.match(request.text, /tools\/run\.js: a script that checks the project was changed/);
      await world.post('question_reply', { request: request.id, answers: [['Accept']] });
      await driving;
    });

    it('sends the work back with what the person says', async () => {
      const world = await cheated();
      const driving = world.drive({ coding });
      const { id } = await world.request();
      await world.post('question_reply', { request: id, answers: [['Mend the sum.']] });
      await driving;
      assert.equal((await world.bead('greet')).status, 'done');
      const call = world.agent.calls.find(({ task }) => task === 'coding-continue');
      assert.match(call?.whole ?? '', /a test is skipped/);
      assert.match(call?.whole ?? '', /Mend the sum\./);
      assert.equal(await world.json('weakened_tests_receipt:greet'), undefined);
    });
  });

  describe('beside the untouched base', () => {
    const red = "require('node:test')('old', () => { throw new Error('red'); });\n";
    const green = "require('node:test')('new', () => { require('node:fs').readFileSync('greet.txt'); });\n";
    const broken = "require('node:test')('new', () => { throw new Error('broken'); });\n";
    const suite = 'node --test --test-isolation=none --test-reporter=tap';

    async function coded(
      files: Readonly<Record<string, string>>,
      written: string,
      bead: { testCommands: string[] },
      checks = {},
    ) {
      const world = await newWorld.in('CODING', { beads: [bead], limits: oneTry, files });
      await world.prepared({ project_commands: checks });
      world.answers({
        coding: () => {
          world.write('greet.txt', 'hello\n');
          world.write('new.test.js', written);
          return report('greet');
        },
      });
      await world.drive({ coding });
      return world;
    }

    it('does not count what was red before', async () => {
      const world = await coded({ 'old.test.js': red }, green, { testCommands: [suite] });
      assert.equal((await world.bead('greet')).status, 'done');
      const execution = (await world.json('bead_execution:greet')) as {
        evidence: { exitCode: number; knownFailures?: string[] }[];
      };
      assert.deepEqual(
        execution.evidence.map(({ exitCode, knownFailures }) => [exitCode, knownFailures]),
        [[1, ['old']]],
      );
    });

    it('reads which tests were red in a suite that prints very much', async () => {
      const loud = `for (let i = 0; i < 3000; i += 1) console.log('x'.repeat(60));\n`;
      const world = await coded({ 'loud.test.js': loud, 'old.test.js': `${loud}${red}` }, `${loud}${green}`, {
        testCommands: [suite],
      });
      assert.equal((await world.bead('greet')).status, 'done');
      const { evidence } = (await world.json('bead_execution:greet')) as {
        evidence: { outputBytes: number; knownFailures?: string[] }[];
      };
      assert.deepEqual(evidence[0]?.knownFailures, ['old']);
      assert.ok(evidence[0].outputBytes > 200_000);
    });

    it('counts what is red only now', async () => {
      const world = await coded({ 'old.test.js': red }, broken, { testCommands: [suite] });
      assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    });

    it('does not excuse a command that names no test', async () => {
      const world = await coded({}, green, { testCommands: ['test -f missing'] });
      assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    });

    it('runs the checks of the project on the base once, and counts only what is new in them', async () => {
      const lint = 'echo old.js:1:1 error; test -f new.test.js && echo new.test.js:1:1 error; exit 1';
      const world = await coded(
        {},
        green,
        { testCommands: ['node new.test.js'] },
        { lint_full: [lint], test_full: [suite] },
      );
      assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
      const baseline = (await world.json('baseline')) as {
        commit: string;
        checks: { kind: string; failed: string[] }[];
      };
      assert.equal(baseline.commit, world.start);
      assert.deepEqual(
        baseline.checks.map(({ kind, failed }) => [kind, failed]),
        [
          ['lint', ['old.js:#:# error']],
          ['test', []],
        ],
      );
      assert.ok(world.agent.calls.some(({ whole }) => whole.includes('new.test.js:1:1 error')));
    });
  });

  it('runs the commands of earlier beads whose files a bead touches', async () => {
    const world = await newWorld();
    const beads = [
      { id: 'greet', testCommands: ['grep -q hello greet.txt'] },
      { id: 'second', testCommands: ["grep -q 'bye\\|second' greet.txt"], targetFiles: ['greet.txt'] },
      { id: 'third', testCommands: ['test -f other.txt'], targetFiles: ['other.txt'] },
    ];
    await world.begin('CODING', { beads, limits: { maxIterations: 2, maxContinuations: 0 } });
    let tries = 0;
    world.answers({
      coding: ({ whole }) => {
        const id = whole.includes('"id": "greet"')
          ? 'greet'
          : whole.includes('"id": "second"')
            ? 'second'
            : 'third';
        if (id === 'second') tries += 1;
        world.write(
          id === 'third' ? 'other.txt' : 'greet.txt',
          id === 'second' && tries === 1 ? 'bye\n' : `hello ${id}\n`,
        );
        return report(id);
      },
    });
    await world.drive({ coding });
    assert.equal(tries, 2, 'the bead that broke an earlier one was sent back');
    await world.isIn('RUNNING_FINAL_TEST');
    const third = (await world.json('bead_execution:third')) as { evidence: { command: string }[] };
    assert.deepEqual(
      third.evidence.map(({ command }) => command),
      ['test -f other.txt'],
    );
  });

  it('asks git no more about the fifth bead than about the second', async () => {
    const world = await newWorld();
    const ids = ['one', 'two', 'three', 'four', 'five'];
    const beads = ids.map((id) => ({
      id,
      testCommands: [`grep -q ${id} ${id}.txt`],
      targetFiles: [`${id}.txt`],
    }));
    await world.begin('CODING', { beads });
    const asked: string[] = [];
    let working = '';
    const compare = world.git.compare.bind(world.git);
    world.git.compare = (from, to) => {
      asked.push(working);
      return compare(from, to);
    };
    world.answers({
      coding: ({ whole }) => {
        working = /"id": "(\w+)"/.exec(whole)?.[1] ?? '';
        world.write(`${working}.txt`, `${working}\n`);
        return report(working);
      },
    });
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    const count = (id: string) => asked.filter((one) => one === id).length;
    assert.equal(count('five'), count('two'));
  });
});
