import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { ownSeconds, processorMeter, timesSeconds, watchMachine } from '../../../.build/processorTime.mjs';
import { costReport } from '../../../.build/timings.mjs';
import { verdict } from '../../../.build/verdict.mjs';
import { tempFolder } from '../../support/tempFolder.ts';

const costs = [
  { name: 'test/a.test.ts', seconds: 4, allowance: 5 },
  { name: 'test/b.test.ts', seconds: 7.4, allowance: 5 },
  { name: 'test/c.test.ts', seconds: 7.6, allowance: 5 },
];

describe('the costs of a run', () => {
  it('are summed up, the most expensive files first', () => {
    const { lines } = costReport(costs, { factor: 1.5, most: 150 });
    assert.equal(
      lines[0],
      'processor seconds (of the reference machine; this one needs 1.50 for each): 19 of 150',
    );
    assert.deepEqual(
      lines.slice(1).map((line) => line.trim().split(/\s+/)[0]),
      ['test/c.test.ts', 'test/b.test.ts', 'test/a.test.ts'],
    );
  });

  it('are too much for a file at more than one and a half times its allowance', () => {
    const { problems } = costReport(costs, { factor: 1 });
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^test\/c\.test\.ts took 7\.6 s of the processor, and may take 5/);
  });

  it('are too much for a run at more than its own', () => {
    assert.match(
      costReport(costs, { factor: 1, most: 18 }).problems[1] ?? '',
      /^the run took 19 s of the processor, and may take 18/,
    );
    assert.equal(costReport(costs, { factor: 1, most: 19 }).problems.length, 1);
  });

  it('name the ten most expensive files at most', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      name: `test/${String(at)}.test.ts`,
      seconds: at,
      allowance: 99,
    }));
    assert.equal(costReport(many, { factor: 1 }).lines.length, 11);
  });

  it('fail a run where that is asked for, and are a warning elsewhere', () => {
    const counts = { passed: 3, failed: 0, skipped: 0 };
    const run = { counts, failures: [], unsteady: [], overCost: ['a took too much'] };
    const strict = verdict({ ...run, strict: true });
    assert.equal(strict.exitCode, 1);
    assert.deepEqual(strict.lines, [
      'too expensive:\n  a took too much',
      'failed: cost',
      '3 passed, 1 failed, 0 skipped',
    ]);
    const lenient = verdict(run);
    assert.equal(lenient.exitCode, 0);
    assert.deepEqual(lenient.lines, [
      'warning: too expensive\n  a took too much',
      '3 passed, 0 failed, 0 skipped',
    ]);
  });
});

describe('the time of the processor', () => {
  /** Some hundredths of a second of work, in a shell within a shell. */
  const work = ['sh', '-c', 'sh -c "i=0; while [ \\$i -lt 60000 ]; do i=\\$((i+1)); done"; exit 3'];

  it('is that of a command and everything it starts, and the command ends as it ends', function () {
    const folder = tempFolder('meter');
    const meter = processorMeter(folder.path);
    if (process.platform === 'win32') this.skip(); // nothing tells
    const [program = '', ...words] = meter.wrap(work);
    assert.equal(spawnSync(program, words).status, 3);
    const seconds = meter.seconds() ?? assert.fail('nothing was measured');
    assert.ok(seconds > 0.02 && seconds < 10, String(seconds));
    assert.deepEqual(meter.pids(), []);
    meter.end();
    folder.remove();
  });

  it('of this process holds that of its children', () => {
    const before = ownSeconds('');
    spawnSync(work[0] ?? '', work.slice(1));
    const used = ownSeconds('') - before;
    if (process.platform === 'linux') assert.ok(used > 0.02, String(used));
  });

  it('is read from the lines of a shell', () => {
    assert.equal(timesSeconds('1m2.50s 0m3.25s'), 65.75);
    assert.equal(timesSeconds('0m0.010s 0m0.000s'), 0.01);
    assert.equal(timesSeconds('nothing'), undefined);
    assert.equal(timesSeconds(undefined), undefined);
  });

  it('is compared with that of another machine', () => {
    const machine = watchMachine();
    assert.ok(machine.factorSince(Date.now()) > 0.1);
    machine.end();
  });
});
