import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { executionWorlds, oneTry, report } from '../../../support/engine/executionWorld.ts';

const suite = 'node --test --test-isolation=none --test-reporter=tap';
const manifest = (more: object = {}): string =>
  JSON.stringify({ name: 'sample', scripts: { test: suite }, ...more }, undefined, 2);
const sum = 'exports.sum = (a, b) => a + b;\n';
const broken = 'exports.sum = (a, b) => a - b;\n';
const tests = [
  "const { test } = require('node:test');",
  "const assert = require('node:assert');",
  "const { sum } = require('./sum.js');",
  "test('adds', () => {",
  '  assert.equal(sum(1, 2), 3);',
  '});',
  "test('adds nothing', () => {",
  '  assert.equal(sum(2, 0), 2);',
  '});',
  '',
].join('\n');
const base = {
  'package.json': manifest(),
  'sum.js': sum,
  'sum.test.js': tests,
  'helper.js': 'exports.three = 3;\n',
};
type Files = Readonly<Record<string, string | null>>;

/** More ways to hide a broken sum are in `test/fixtures/integrity/`. */
const cheats: Readonly<Record<string, Files>> = {
  'a test that returns early': {
    'sum.test.js': tests.replace('  assert.equal(sum(1', '  return;\n  assert.equal(sum(1'),
  },
  'another import': { 'sum.test.js': tests.replace('./sum.js', './other.js'), 'other.js': sum },
  'a deleted test file, and another one in its place': {
    'sum.test.js': null,
    'zero.test.js': "require('node:test')('more', () => {});\n",
  },
  'a script before the tests that repairs the sum': {
    'package.json': manifest({ scripts: { pretest: 'node repair.js', test: suite } }),
    'repair.js': `require('fs').writeFileSync('sum.js', ${JSON.stringify(sum)});\n`,
  },
  'a setting of npm that runs another shell': { '.npmrc': 'script-shell=/bin/true\n' },
};

/** Tests change with the work. */
const honest: Readonly<Record<string, { readonly work: Files; readonly planned: readonly string[] }>> = {
  'a new case, and an assertion that is written in another way': {
    work: {
      'sum.test.js': `${tests.replace('equal(sum(1', 'strictEqual(sum(1')}test('adds twice', () => assert.equal(sum(sum(1, 1), 1), 3));\n`,
    },
    planned: [],
  },
  'a function with another name, in a plan that names its tests': {
    work: {
      'sum.js': sum.replace('sum', 'add'),
      'sum.test.js': tests.replaceAll('{ sum }', '{ add }').replaceAll('sum(', 'add('),
    },
    planned: ['sum.js', 'sum.test.js'],
  },
  'a new dependency': {
    work: { 'package.json': manifest({ dependencies: { tiny: '1.0.0' } }) },
    planned: [],
  },
};

describe('tests as they were before the work', function () {
  this.timeout(60_000);
  const newWorld = executionWorlds();

  /** Until the bead is done or a person is asked; answers the question. */
  async function askedAbout(
    files: Files,
    planned: readonly string[] = [],
    start: Readonly<Record<string, string>> = base,
  ): Promise<string | undefined> {
    const world = await newWorld.in('CODING', {
      beads: [{ testCommands: ['test -f greet.txt'], targetFiles: ['greet.txt', ...planned] }],
      limits: oneTry,
      files: start,
    });
    const isOfNpm = 'package.json' in files || '.npmrc' in files;
    await world.prepared({ project_commands: { test_full: [isOfNpm ? 'npm test --silent' : suite] } });
    world.answers({
      coding: () => {
        const written: Files = { 'greet.txt': 'hello\n', ...files };
        for (const [path, text] of Object.entries(written)) {
          mkdirSync(dirname(join(world.worktree, path)), { recursive: true });
          if (text === null) rmSync(join(world.worktree, path));
          else world.write(path, text);
        }
        return report('greet');
      },
    });
    const driving = world.drive({ coding });
    const ended = driving.then(() => undefined);
    const text = await Promise.race([ended, world.request().then((request) => request.text)]);
    if (text === undefined)
      assert.equal((await world.bead('greet')).status, 'done', JSON.stringify((await world.read()).error));
    else {
      const { id } = await world.request();
      await world.post('question_reply', { request: id, answers: [['No.']] });
      await driving;
    }
    return text;
  }

  for (const [name, files] of Object.entries(cheats))
    it(`ask about ${name}`, async () => {
      const text = await askedAbout({ 'sum.js': broken, ...files }, ['sum.js']);
      assert.match(
        text ?? 'nobody was asked',
        /a check fails with the tests as they were before this work \(`[^`]+` fails with [^:]* as before: adds[^]*not ok 1 - adds/,
      );
    });

  describe('that failed', () => {
    const stub = { ...base, 'sum.js': 'exports.sum = () => 0;\n' };
    const loose = tests.replace('assert.equal(sum(1, 2), 3)', 'assert.ok(sum(1, 2))');

    it('ask about one that passes only as the work has it', async () => {
      const text = await askedAbout({ 'sum.js': broken, 'sum.test.js': loose }, ['sum.js'], stub);
      assert.match(
        text ?? 'nobody was asked',
        /`[^`]+` fails with sum\.test\.js as before: adds[^]*not ok 1 - adds/,
      );
    });

    it('don’t ask about one that fails with the work, too, or that the work makes pass', async () => {
      const more = `${tests}test('adds twice', () => assert.equal(sum(2, 0), 2));\n`;
      for (const work of [broken, sum])
        assert.equal(await askedAbout({ 'sum.js': work, 'sum.test.js': more }, ['sum.js'], stub), undefined);
    });
  });

  for (const [name, { work, planned }] of Object.entries(honest))
    it(`don’t ask about ${name}`, async () => {
      assert.equal(await askedAbout(work, planned), undefined);
    });
});
