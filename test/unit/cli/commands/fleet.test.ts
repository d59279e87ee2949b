import assert from 'node:assert/strict';
import type { Fleet } from '../../../../src/app/runner/fleet.ts';
import type { FleetRunner, FleetState } from '../../../../src/protocol/team/fleet.ts';
import { CommandBench } from '../../../support/commandBench.ts';

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

const day = { answers: 0, tokens: 0, money: null, unpriced: 0 };
const days: FleetState['repositories'][number]['days'] = [
  ...[23, 24, 25, 26, 27].map((at) => ({ day: `2026-11-${at}`, ...day })),
  { day: '2026-11-28', answers: 3, tokens: 1_200, money: 1.25, unpriced: 0 },
  { day: '2026-11-29', answers: 2, tokens: 800, money: 0.5, unpriced: 1 },
];
const fleetState: FleetState = {
  runners: [runner, { ...runner, id: '1a2b9999-0000', host: 'build-2', silent: true, driving: [] }],
  queue: { waiting: 3, running: 1, later: 0 },
  atWork: { tickets: 1, most: null },
  lacking: [{ repository: 'acme/api', ticket: 'API-3', needs: ['label:gpu', 'provider:openai'] }],
  stages: [
    { label: 'Coding', tickets: 1 },
    { label: 'Approve the plan', tickets: 1 },
  ],
  repositories: [
    { name: 'acme/api', commits: '/srv/tickets.git', tickets: 2, days, failure: null },
    { name: 'acme/web', commits: '', tickets: 0, days: [], failure: 'DATABASE_CORRUPT' },
  ],
  waiting: [
    {
      repository: 'acme/api',
      ticket: 'API-2',
      title: 'Say why',
      label: 'Approve the plan',
      kind: 'needsYou',
      since: Date.UTC(2026, 10, 29, 8, 30),
    },
  ],
  deciders: { roles: ['reviewer', 'admin'], people: ['Ada', 'Bob'] },
};

/** Two runners, of which one is gone; two tickets; a repository that can't be read. */
class FakeFleet implements Fleet {
  readonly wanted: string[] = [];
  closed = 0;

  state = fleetState;

  read: Fleet['read'] = () => Promise.resolve(this.state);
  want: Fleet['want'] = (id, wanted) => {
    this.wanted.push(`${id} ${wanted}`);
    return Promise.resolve(undefined);
  };
  need: Fleet['need'] = (repository, needs) => {
    this.wanted.push(`${repository}: ${needs.join(' ')}`);
    return Promise.resolve(repository === 'acme/api');
  };
  commits: Fleet['commits'] = (repository, url) => {
    this.wanted.push(`${repository}: ${url}`);
    if (url === '/srv/taken.git') return Promise.resolve('taken');
    return Promise.resolve(repository === 'acme/api' ? 'noted' : 'unknown');
  };
  limit: Fleet['limit'] = (most) => {
    this.wanted.push(`at most ${String(most)}`);
    return Promise.resolve();
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
    bench = new CommandBench({}, { openFleet: () => Promise.resolve(fleet) });
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db' };
  });

  it('says what a ticket waits for that no runner can drive, and what a repository needs', async () => {
    assert.match(
      (await bench.run('fleet')).out,
      /acme\/api API-3 waits for a runner with gpu, provider openai/,
    );
    const { out } = await bench.run('fleet need acme/api gpu sandbox tool:docker');
    assert.match(out, /need gpu, sandbox, tool docker/);
    assert.match((await bench.run('fleet need acme/api')).out, /need nothing in particular/);
    assert.deepEqual(fleet.wanted, ['acme/api: label:gpu sandbox tool:docker', 'acme/api: ']);
    assert.match((await bench.run('fleet need acme/other gpu')).err, /no such repository/);
    assert.match((await bench.run('fleet need acme/api g"pu')).err, /letters/);
  });

  it('names a repository for the commits of tickets, and takes back the name', async () => {
    const { out } = await bench.run('fleet commits acme/api git@git.example.com:tickets.git');
    assert.match(out, /acme\/api go to git@git\.example\.com:tickets\.git, from the next time/);
    assert.match((await bench.run('fleet commits acme/api')).out, /go to its remote/);
    assert.deepEqual(fleet.wanted, ['acme/api: git@git.example.com:tickets.git', 'acme/api: ']);
    assert.match((await bench.run('fleet commits acme/other /srv/x.git')).err, /no such repository/);
    assert.match(
      (await bench.run('fleet commits acme/api /srv/taken.git')).err,
      /another repository go there/,
    );
    for (const address of ['ext::whoami', 'https://ann:secret@example.com/x.git', '../x.git']) {
      const { err } = await bench.run(`fleet commits acme/api ${address}`);
      assert.match(err, /an address of HTTPS or SSH, or an absolute path, without a password/);
      assert.doesNotMatch(err, /secret/);
    }
    assert.match(
      (await bench.run('fleet')).out,
      /^Commits of tickets of acme\/api go to \/srv\/tickets\.git$/m,
    );
  });

  it('limits the tickets at work over all runners, and shows how many there are', async () => {
    assert.doesNotMatch((await bench.run('fleet')).out, /in all/);
    assert.match((await bench.run('fleet limit 6')).out, /fewer than 6 are at work in all/);
    fleet.state = { ...fleetState, atWork: { tickets: 5, most: 6 } };
    assert.match(
      (await bench.run('fleet')).out,
      /Queue: .* 0 later\n5 of 6 tickets at work in all\n {2}acme\/api API-3 waits/,
    );
    for (const line of ['fleet limit none', 'fleet limit'])
      assert.match((await bench.run(line)).out, /There is no limit in all/);
    for (const word of ['0', '-1', '1.5', '1000', 'all'])
      assert.equal((await bench.run(`fleet limit ${word}`)).exit, 2, word);
    assert.deepEqual(fleet.wanted, ['at most 6', 'at most null', 'at most null']);
  });

  it('shows who drives what, the queue, and what waits for people', async () => {
    const { exit, out } = await bench.run('fleet');
    assert.equal(exit, 0);
    assert.match(
      out,
      /1a2b3c4d {2}build-1 {2}v1 {2}working {2}1 of 2 {2}acme\/api API-1\n {2}Linux; sandbox: yes; providers: openai; tools: node\n/,
    );
    assert.match(out, /1a2b9999 {2}build-2 {2}v1 {2}silent since 1970/);
    assert.match(out, /Queue: 3 waiting, 1 running, 0 later\n/);
    assert.match(
      out,
      /US\$ per day .*11-28 +11-29 +total\nacme\/api +– +– +– +– +– +1\.25 +≥ 0\.50 +≥ 1\.75\n/,
    );
    assert.match(
      out,
      /Waiting for Ada, Bob \(reviewer or admin\):\n {2}acme\/api {2}API-2 {2}since 2026-11-29 08:30 UTC {2}waits for a decision {2}Approve the plan: Say why\n/,
    );
    assert.match(out, /The tickets of acme\/web can't be read \(DATABASE_CORRUPT\)/);
    assert.equal(fleet.closed, 1);
    const { all } = await bench.json('fleet');
    assert.deepEqual(all('fleet'), [{ type: 'fleet', ...fleetState }]);
  });

  it('says what isn’t there', async () => {
    fleet.state = {
      ...fleetState,
      runners: [],
      lacking: [],
      stages: [],
      repositories: [],
      waiting: [],
    };
    const { out } = await bench.run('fleet');
    assert.match(out, /^No runner is there\.\nQueue: .*\nNothing waits for people\./);
    fleet.state = { ...fleetState, deciders: { ...fleetState.deciders, people: [] } };
    assert.match(
      (await bench.run('fleet')).out,
      /Waiting for a reviewer or admin, of whom the team has none:/,
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
