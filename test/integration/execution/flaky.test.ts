import assert from 'node:assert/strict';
import type { Evidence } from '../../../src/domain/core/evidence.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, oneTry, report } from '../../support/engine/executionWorld.ts';

const suite = 'node --test --test-isolation=none --test-reporter=tap';
/** Fails every other time: `$MARK` is there or not. */
const flaky = (name: string, mark: string) =>
  [
    `const { existsSync, rmSync, writeFileSync } = require('node:fs');`,
    `require('node:test')('${name}', () => {`,
    `  if (!require('node:fs').readFileSync('add.js', 'utf8').includes('+')) throw new Error('does not add');`,
    `  if (existsSync('${mark}')) return rmSync('${mark}');`,
    `  writeFileSync('${mark}', '');`,
    `  throw new Error('this time');`,
    `});`,
  ].join('\n');
const steady =
  "require('node:test')('adds', () => { if (!require('node:fs').readFileSync('add.js', 'utf8').includes('+')) throw new Error('no'); });\n";

describe('a flaky test', () => {
  const newWorld = executionWorlds();

  it('of the bead is a problem for the coder', async () => {
    const world = await newWorld({ 'add.js': '0' });
    const mark = `${world.repository.root}-mark`;
    await world.begin('CODING', {
      beads: [{ testCommands: [suite] }],
      limits: { maxIterations: 0, maxContinuations: 1 },
    });
    world.answers({
      coding: () => {
        world.write('add.js', 'a + b');
        world.write('add.test.js', flaky('adds now and then', mark));
        return report('greet');
      },
      'coding-continue': ({ whole }) => {
        assert.match(
          whole,
          /failed once and passed when it ran again.*a test of this work is flaky \(adds now and then\)/,
        );
        world.write('add.test.js', steady);
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
  });

  it('that was there before is recorded, and not held against the bead', async () => {
    const world = await newWorld({ 'add.js': '1 + 1' });
    const mark = `${world.repository.root}-mark`;
    await world.repository.commit({ 'old.test.js': flaky('old', mark) });
    await world.begin('CODING', { beads: [{ testCommands: [suite] }], limits: oneTry });
    world.answers({
      coding: () => {
        world.write('sub.js', 'a - b');
        world.write(
          'sub.test.js',
          "require('node:test')('subtracts', () => { require('node:fs').readFileSync('sub.js'); });\n",
        );
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    const { evidence } = (await world.json('bead_execution:greet')) as { evidence: Evidence[] };
    assert.ok(
      evidence[0]?.flaky === true || evidence[0]?.knownFailures?.includes('old'),
      JSON.stringify(evidence[0]),
    );
  });
});

describe('the baseline', () => {
  const newWorld = executionWorlds();

  it('is taken again when the base moves', async () => {
    const world = await newWorld.in('CODING');
    await world.prepared({ project_commands: { test_full: ['test ! -e later.txt'] } });
    world.answersGreeting();
    await world.drive({ coding });
    const before = (await world.json('baseline')) as { commit: string; checks: { passed: boolean }[] };
    assert.deepEqual([before.commit, before.checks.map(({ passed }) => passed)], [world.start, [true]]);
    const moved = await world.repository.commit({ 'later.txt': 'later\n' });
    await world.store.commit({
      ticket: world.ticket,
      journal: [],
      changes: [{ type: 'ticket', set: { baseCommit: moved } }],
    });
    await world.enter('CODING', { by: 'changes', body: null });
    await world.drive({ coding });
    const after = (await world.json('baseline')) as typeof before;
    assert.deepEqual([after.commit, after.checks.map(({ passed }) => passed)], [moved, [false]]);
  });
});

describe('tests that were approved', () => {
  const newWorld = executionWorlds();

  it('can only be changed by a person, if they are frozen', async () => {
    const world = await newWorld({ 'old.test.js': "require('node:test')('old', () => {});\n" });
    const beads = [{ targetFiles: ['greet.txt', 'old.test.js', 'new.test.js'] }];
    await world.begin('CODING', {
      beads,
      settings: { freezeApprovedTests: true },
      limits: { maxIterations: 0, maxContinuations: 1 },
    });
    world.answers({
      coding: () => {
        world.write('greet.txt', 'hello\n');
        world.write('new.test.js', steady);
        world.write('old.test.js', `// changed\n${world.readWorktree('old.test.js')}`);
        return report('greet');
      },
      'coding-continue': ({ whole }) => {
        assert.match(whole, /only a person may change them: old\.test\.js\./);
        world.write('old.test.js', "require('node:test')('old', () => {});\n");
        return report('greet');
      },
    });
    await world.drive({ coding });
    assert.equal((await world.bead('greet')).status, 'done');
  });
});
