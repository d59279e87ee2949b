import assert from 'node:assert/strict';
import type { TeamRunner, TeamRunnerOptions } from '../../../../src/app/runner/teamRunner.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { until } from '../../../support/until.ts';

describe('beadsmith runner', () => {
  const started: TeamRunnerOptions[] = [];
  let stops = 0;
  let ask: () => void = () => undefined;
  const bench = (): CommandBench => {
    const made = new CommandBench(
      {},
      {
        startRunner: (options) => {
          started.push(options);
          const asked = new Promise<void>((resolve) => (ask = resolve));
          const runner: Pick<TeamRunner, 'id' | 'asked' | 'stop'> = {
            id: 'r-1',
            asked,
            stop: async () => {
              stops++;
            },
          };
          return Promise.resolve(runner as TeamRunner);
        },
      },
    );
    made.env = { ...made.env, BEADSMITH_TEAM: 'postgres://db' };
    return made;
  };
  beforeEach(() => {
    started.length = 0;
    stops = 0;
  });

  it('drives until it is stopped, and then stops at a safe point', async () => {
    const one = bench();
    const run = one.run('runner --folder clones --at-once 3');
    await until(() => started.length === 1, 'it is started');
    one.stop.abort();
    assert.equal((await run).exit, 0);
    assert.equal(stops, 1);
    const [options] = started;
    assert.deepEqual(
      [options?.url, options?.folder, options?.atOnce],
      ['postgres://db', '/sample/clones', 3],
    );
  });

  it('ends when the team wants it to leave', async () => {
    const run = bench().run('runner');
    await until(() => started.length === 1, 'it is started');
    ask();
    assert.equal((await run).exit, 0);
    assert.equal(stops, 1);
  });

  it('refuses what it can’t work with', async () => {
    const alone = bench();
    alone.env = { HOME: '/home/ada' };
    assert.match((await alone.run('runner')).err, /--team URL/);
    assert.match((await bench().run('runner --at-once 0')).err, /1 to 20/);
    assert.equal(started.length, 0);
  });
});
