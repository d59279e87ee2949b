import assert from 'node:assert/strict';
import type { Fleet, FleetRunner } from '../../../../src/app/runner/fleet.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

const runner: FleetRunner = {
  id: '1a2b3c4d-0000',
  host: 'build-1',
  version: 'v1',
  can: { system: 'Linux', sandbox: 'yes', 'provider:openai': '3', 'tool:node': 'v24.1.0' },
  atOnce: 2,
  wanted: 'work',
  silent: false,
  startedAt: 0,
  seenAt: 0,
  driving: [{ repository: 'acme/api', ticket: 'API-1' }],
};

/** Two runners, of which one is gone, and two tickets. */
class FakeFleet implements Fleet {
  readonly wanted: string[] = [];
  closed = 0;

  read: Fleet['read'] = () =>
    Promise.resolve({
      runners: [runner, { ...runner, id: '1a2b9999-0000', host: 'build-2', silent: true, driving: [] }],
      queue: { waiting: 3, running: 1, later: 0 },
      repositories: [
        {
          name: 'acme/api',
          tickets: [
            ticketView({ id: 'API-1', title: 'Add a limit', label: 'Coding', column: 'In Progress' }),
            ticketView({ id: 'API-2', title: 'Say why', label: 'Approve the plan', column: 'Needs Input' }),
          ],
        },
      ],
    });
  want: Fleet['want'] = (id, wanted) => {
    this.wanted.push(`${id} ${wanted}`);
    return Promise.resolve(undefined);
  };
  close: Fleet['close'] = async () => {
    this.closed++;
  };
}

describe('beadsmith fleet', () => {
  let fleet: FakeFleet;
  let bench: CommandBench;
  beforeEach(() => {
    fleet = new FakeFleet();
    bench = new CommandBench({}, { openFleet: () => fleet });
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db' };
  });

  it('shows who drives what, the queue, and what waits for people', async () => {
    const { exit, out } = await bench.run('fleet');
    assert.equal(exit, 0);
    assert.match(
      out,
      /1a2b3c4d {2}build-1 {2}works {2}1 of 2 {2}acme\/api API-1\n {2}Linux; sandbox: yes; providers: openai; tools: node\n/,
    );
    assert.match(out, /1a2b9999 {2}build-2 {2}silent since 1970/);
    assert.match(out, /Queue: 3 waiting, 1 running, 0 later\n/);
    assert.match(out, /Waiting for people:\n {2}acme\/api {2}API-2 {2}Approve the plan: Say why/);
    assert.doesNotMatch(out, /API-1 {2}Coding/);
    assert.equal(fleet.closed, 1);
    const { all } = await bench.json('fleet');
    assert.deepEqual(
      all('runner').map(({ id, silent }) => [id, silent]),
      [
        ['1a2b3c4d-0000', false],
        ['1a2b9999-0000', true],
      ],
    );
    assert.deepEqual(
      all('queue').map(({ waiting }) => waiting),
      [3],
    );
  });

  for (const [line, wanted] of [
    ['fleet pause 1A2B3', 'pause'],
    ['fleet resume 1a2b3c4d', 'work'],
    ['fleet drain 1a2b3', 'drain'],
    ['fleet remove 1a2b3', 'leave'],
  ] as const)
    it(`names a runner by the start of its ID: ${line}`, async () => {
      assert.equal((await bench.run(line)).exit, 0);
      assert.deepEqual(fleet.wanted, [`1a2b3c4d-0000 ${wanted}`]);
    });

  it('refuses an ID that is not one runner’s', async () => {
    for (const [start, says] of [
      ['1a2b', /Several runners/],
      ['ffff', /No runner/],
      ['1a', /No runner/],
    ] as const) {
      const { exit, err } = await bench.run(`fleet drain ${start}`);
      assert.equal(exit, 2);
      assert.match(err, says);
    }
    assert.deepEqual(fleet.wanted, []);
  });
});
