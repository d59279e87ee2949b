import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bead } from '../../../src/domain/beads/bead.ts';
import type { Evidence } from '../../../src/domain/core/evidence.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';

type Files = Readonly<Record<string, string>>;

/** As text. */
const testOf = (assertion: string) => {
  const head = "const test = require('node:test');\nconst assert = require('node:assert');\n";
  return `${head}test('adds', () => { const { add } = require('./add.js'); ${assertion} });\n`;
};
/** A process for each file costs more than all else here. */
const suite = 'node --test --test-isolation=none';
const base: Files = {
  'add.js': 'exports.add = () => 0;\n',
  'old.test.js': "require('node:test')('old', () => {});\n",
};
const work: Files = { 'add.js': 'exports.add = (a, b) => a + b;\n' };
const right: Files = { ...work, 'add.test.js': testOf('assert.equal(add(1, 2), 3);') };
const empty: Files = { ...work, 'add.test.js': testOf('assert.ok(add);') };

describe('a test that fails without the work', () => {
  const newWorld = executionWorlds();

  const writeAll = (world: ExecutionWorld, files: Files) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(join(world.worktree, path, '..'), { recursive: true });
      world.write(path, content);
    }
  };

  /** The coder writes the next files each time it is asked to continue. */
  async function coded(
    turns: readonly Files[],
    {
      bead = {},
      before = base,
      limits = {},
    }: { bead?: Partial<Bead>; before?: Files; limits?: { maxContinuations?: number } } = {},
  ) {
    const world = await newWorld(before);
    const maxContinuations = limits.maxContinuations ?? turns.length - 1;
    await world.begin('CODING', {
      beads: [{ testCommands: [suite], ...bead }],
      limits: { maxIterations: 0, maxContinuations },
    });
    let turn = 0;
    const code = () => {
      writeAll(world, turns[turn++] ?? {});
      return report('greet');
    };
    world.answers({ coding: code, 'coding-continue': code });
    return { world, driving: world.drive({ coding }) };
  }

  it('is shown as one that ran without the work, where its failure is no problem', async () => {
    const { world, driving } = await coded([right]);
    await driving;
    const shown = world.events.flatMap((event) =>
      event.type === 'activity' && event.call?.state !== 'running' && event.call?.command === suite
        ? [[event.call.isOnBase ?? false, event.call.state]]
        : [],
    );
    assert.deepEqual(shown, [
      [false, 'done'],
      [true, 'failed'],
    ]);
  });

  const evidenceOf = async (world: ExecutionWorld) =>
    ((await world.json('bead_execution:greet')) as { evidence: Evidence[] }).evidence;
  const lastCall = (world: ExecutionWorld) => world.agent.calls.at(-1)?.whole ?? '';

  it('proves a bead, and is kept with the evidence', async () => {
    const { world, driving } = await coded([right]);
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    const [evidence] = await evidenceOf(world);
    assert.equal(evidence?.exitCode, 0);
    assert.equal(evidence.without?.exitCode, 1);
    const files = await world.repository.git('ls-tree', '--name-only', evidence.without.tree);
    assert.ok(files.split('\n').includes('add.test.js'));
    assert.equal(
      await world.repository.git('show', `${evidence.without.tree}:add.js`),
      base['add.js']?.trim(),
    );
  });

  it('is what the coder has to write if its tests pass either way', async () => {
    const { world, driving } = await coded([empty, right]);
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    assert.match(lastCall(world), /Nothing that ran would fail without this work/);
    assert.match(
      lastCall(world),
      /with the tests of this work \(add\.test\.js\).*`node --test --test-isolation=none`/,
    );
  });

  it('is what the coder has to write if it wrote none', async () => {
    const { world, driving } = await coded([work, right]);
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    assert.match(lastCall(world), /Nothing that ran would fail without this work/);
  });

  it('is what a person is asked about at the last continuation, with a receipt of their yes', async () => {
    const { world, driving } = await coded([empty, {}]);
    const request = await world.request();
    assert.equal(world.agent.tasks.filter((task) => task === 'coding-continue').length, 1);
    assert.match(request.text, /nothing that ran would fail without this work/);
    await world.post('question_reply', { request: request.id, answers: [['Accept']] });
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    const receipt = (await world.json('weakened_tests_receipt:greet')) as { weakenings: { kind: string }[] };
    assert.deepEqual(
      receipt.weakenings.map(({ kind }) => kind),
      ['unproved'],
    );
  });

  it('is missing as well where a bead changed nothing', async () => {
    const { world, driving } = await coded([{}]);
    const { id, text } = await world.request();
    assert.match(text, /nothing that ran would fail without this work/);
    await world.post('question_reply', { request: id, answers: [['Send back']] });
    await driving;
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
  });

  it('is not asked of a bead whose approved plan says why nothing can fail', async () => {
    const { world, driving } = await coded([{ 'README.md': '# Other\n' }], {
      bead: { unprovedReason: 'Only the documentation changes.' },
    });
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    assert.equal((await evidenceOf(world))[0]?.without, undefined);
  });

  it('is not one that fails on the base anyway', async () => {
    const before = {
      ...base,
      'red.test.js': "require('node:test')('red', () => { throw new Error('red'); });\n",
    };
    const command = `${suite} --test-reporter=tap`;
    const { world, driving } = await coded([empty, right], { before, bead: { testCommands: [command] } });
    await driving;
    assert.equal((await world.bead('greet')).status, 'done');
    assert.match(lastCall(world), /Nothing that ran would fail without this work/);
  });

  it('is looked for once per command and start', async () => {
    const { world, driving } = await coded([empty, { 'other.txt': 'x\n' }, right]);
    await driving;
    assert.equal(
      world.shell.commands.filter((one) => one === suite).length,
      3 + 2,
      'three proofs, and tests that changed once',
    );
  });

  describe('is missing where a coder', () => {
    const cheats: Readonly<
      Record<string, { readonly files: Files; readonly before?: Files; readonly command?: string }>
    > = {
      'lets the script of the tests succeed': {
        before: { ...base, 'package.json': '{ "scripts": { "test": "node --test" } }\n' },
        files: {
          ...right,
          'add.js': 'exports.add = () => 4;\n',
          'package.json': '{ "scripts": { "test": "exit 0" } }\n',
        },
        command: 'npm test --silent',
      },
      'writes a test where no runner looks': {
        files: { ...work, 'checks/add.js': testOf('assert.equal(add(1, 2), 3);') },
      },
      'ends the process in a setup file': {
        files: { ...right, 'add.js': '', 'test/setup.js': 'process.exit(0);\n' },
        before: { ...base, 'test/setup.js': '' },
        command: 'node --require ./test/setup.js --test add.test.js',
      },
      'runs only another test': {
        files: {
          ...work,
          'add.test.js': `${testOf('assert.equal(add(1, 2), 4);')}test.only('fine', () => {});\n`,
        },
        command: 'node --test --test-only',
      },
      'catches what its test throws': {
        files: { ...work, 'add.test.js': testOf('try { assert.equal(add(1, 2), 4); } catch {}') },
      },
      'skips its test': {
        files: {
          ...work,
          'add.test.js': testOf('assert.equal(add(1, 2), 4);').replace("test('adds'", "test.skip('adds'"),
        },
      },
      'deletes the test that fails': {
        before: { ...base, 'old.test.js': right['add.test.js']! },
        files: { ...work, 'old.test.js': '' },
      },
      'lets pytest collect nothing': {
        before: { 'add.py': 'def add(a, b):\n    return 0\n', 'test_old.py': 'def test_old():\n    pass\n' },
        files: {
          'add.py': 'def add(a, b):\n    return 4\n',
          'check_add.py': 'from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n',
        },
        command: 'python3 -c "import glob, sys; [exec(open(f).read()) for f in glob.glob(\'test_*.py\')]"',
      },
    };
    for (const [name, { files, before, command = suite }] of Object.entries(cheats)) {
      it(name, async () => {
        const { world, driving } = await coded([files], {
          bead: { testCommands: [command] },
          ...(before ? { before } : {}),
        });
        const { id, text } = await world.request();
        assert.match(text, /nothing that ran would fail without this work/);
        await world.post('question_reply', { request: id, answers: [['Send back']] });
        await driving;
        assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
      });
    }
  });
});
