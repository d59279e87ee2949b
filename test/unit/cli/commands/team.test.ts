import assert from 'node:assert/strict';
import type { TeamParts } from '../../../../src/adapters/system/teamParts.ts';
import type { TeamDevices } from '../../../../src/app/teamDevices.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { TeamKey } from '../../../../src/domain/team/keys.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { teamBench } from '../../../support/team/fakeTeam.ts';
import { until } from '../../../support/until.ts';

/** Two people's devices; this installation is the first one's. */
class FakeDevices implements TeamDevices {
  readonly keys: TeamKey[] = [
    deviceOf('1'.repeat(32), 'Ada', 'admin'),
    deviceOf('12ab'.repeat(8), 'Bob', 'reader'),
  ];
  readonly paired: unknown[] = [];
  readonly joined: string[] = [];
  foundings = 0;
  closed = 0;

  all: TeamDevices['all'] = () => Promise.resolve(this.keys);
  own: TeamDevices['own'] = () => Promise.resolve('1'.repeat(32));
  pair: TeamDevices['pair'] = (input) => {
    this.paired.push(input);
    return Promise.resolve({ code: '0000-1111-2222-3333', expiresAt: 600_000 });
  };
  join: TeamDevices['join'] = (code) => {
    this.joined.push(code);
    return code === 'GOOD' ? this.found() : Promise.reject(new BeadsmithError('PAIRING_INVALID'));
  };
  found: TeamDevices['found'] = () => {
    this.foundings++;
    return Promise.resolve(this.keys[0] ?? assert.fail());
  };
  revoke: TeamDevices['revoke'] = (id) => {
    const at = this.keys.findIndex((key) => key.id === id);
    this.keys[at] = { ...(this.keys[at] ?? assert.fail()), revokedAt: 5 };
    return Promise.resolve(this.keys[at]);
  };
  decided: TeamDevices['decided'] = (id) =>
    Promise.resolve(
      id === this.keys[1]?.id ? [{ repository: 'acme/web', ticket: 'WEB-1', kind: 'approve', at: 0 }] : [],
    );
  close: TeamDevices['close'] = async () => {
    this.closed++;
  };
}

function deviceOf(id: string, person: string, role: TeamKey['role']): TeamKey {
  return { id, publicKey: '', person, device: 'laptop', role, addedAt: 0, revokedAt: null };
}

describe('a team’s tickets', () => {
  it('are listed by repository, those without any left out, and nothing of this repository is opened', async () => {
    const { bench, team, urls } = teamBench();
    assert.equal(
      (await bench.run('list --team postgres://db/team')).out,
      'acme/api\nTo Do\n  TST-1  Work on acme/api  (Draft)\n\nacme/web\nTo Do\n  TST-1  Work on acme/web  (Draft)\n',
    );
    assert.deepEqual([urls, team.closed, bench.opened], [['postgres://db/team'], 3, []]);
    const { all } = await bench.json('list --team postgres://db/team');
    assert.deepEqual(
      all('ticket').map((ticket) => [ticket.id, ticket['repository']]),
      [
        ['TST-1', 'acme/api'],
        ['TST-1', 'acme/web'],
      ],
    );
  });

  it('are created and shown in the repository of the folder, by the environment’s URL', async () => {
    const { bench, team, urls } = teamBench();
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db/env' };
    const { exit } = await bench.run('create --title', 'Add CSV export');
    assert.deepEqual([exit, team.here.created.length, bench.created.length], [0, 1, 0]);
    assert.equal((await bench.run('show TST-1 --repo other')).exit, 0);
    assert.deepEqual(urls, ['postgres://db/env', 'postgres://db/env']);
    assert.deepEqual([team.openedIn, team.closed, bench.opened], [['/sample', '/sample/other'], 2, []]);
    assert.deepEqual(team.made, ['/sample'], 'reading makes no tables');
  });

  it('say where they are merged once they can end', async () => {
    const { bench, team } = teamBench();
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db/env' };
    const shown = async (): Promise<string> => JSON.stringify(await bench.run('show TST-1 --json'));
    assert.doesNotMatch(await shown(), /merged on the forge/);
    team.here.place.become({ ticket: { status: 'WAITING_PR_REVIEW' } });
    assert.match(await shown(), /A team's tickets are merged on the forge/);
  });

  it('are left alone without a URL', async () => {
    const { bench, urls } = teamBench();
    bench.env = { ...bench.env, BEADSMITH_TEAM: '' };
    await bench.run('list');
    assert.deepEqual([urls, bench.opened.length], [[], 1]);
  });
});

describe('team up', () => {
  const start = (ended: Promise<void>) => {
    const folders: string[] = [];
    const devices = new FakeDevices();
    let stopped = 0;
    const bench = new CommandBench(
      {},
      {
        openTeamDevices: () => Promise.resolve(devices),
        startTeam: ({ folder }) => {
          folders.push(folder);
          return Promise.resolve({
            url: 'postgres://here',
            pid: 1,
            ended,
            stop: async () => {
              stopped++;
            },
          });
        },
      },
    );
    return { bench, folders, devices, stopped: () => stopped };
  };

  it('says where the server is, makes this installation an admin, and stops it when asked to end', async () => {
    const { bench, folders, devices, stopped } = start(new Promise(() => undefined));
    const running = bench.run('team up');
    await until(() => folders.length > 0, 'the server is started');
    bench.stop.abort('SIGINT');
    const { exit, out } = await running;
    assert.match(out, /BEADSMITH_TEAM='postgres:\/\/here'/);
    assert.deepEqual([exit, stopped(), devices.foundings, devices.closed], [0, 1, 1, 1]);
    assert.match(folders[0] ?? '', /\/home\/ada\/.*beadsmith\/team$/);
  });

  it('leaves no server behind when this installation can’t be made an admin', async () => {
    const { bench, devices, stopped } = start(new Promise(() => undefined));
    devices.found = () => Promise.reject(new BeadsmithError('DATABASE_BUSY', { seconds: 10 }));
    assert.equal((await bench.run('team up')).exit, 1);
    assert.deepEqual([stopped(), devices.closed], [1, 1]);
  });

  it('fails when the server ends by itself', async () => {
    const { bench } = start(Promise.resolve());
    const { exit, err } = await bench.run('team up');
    assert.equal(exit, 1);
    assert.match(err, /PostgreSQL ended by itself/);
  });
});

describe('team install', () => {
  it('says where the parts are, and whether they were there', async () => {
    let isNew = true;
    const install = () => Promise.resolve({ folder: '/parts/1', isNew });
    const bench = new CommandBench({}, { teamParts: () => ({ install }) as unknown as TeamParts });
    assert.match((await bench.run('team install')).out, /Installed in \/parts\/1/);
    isNew = false;
    assert.match((await bench.run('team install')).out, /installed already, in \/parts\/1/);
  });
});

describe('a team’s devices', () => {
  const start = () => {
    const devices = new FakeDevices();
    const bench = new CommandBench({}, { openTeamDevices: () => Promise.resolve(devices) });
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db/team' };
    return { bench, devices };
  };

  it('are added by a code that is printed once, for a person and a role', async () => {
    const { bench, devices } = start();
    const { exit, out } = await bench.run('team pair --role reader --person', 'Ada Lovelace');
    assert.match(out, /Ada Lovelace \(reader\): 0000-1111-2222-3333/);
    const { all } = await bench.json('team pair --person Ada');
    assert.deepEqual(all('pairing'), [
      { type: 'pairing', code: '0000-1111-2222-3333', person: 'Ada', role: 'reviewer', expiresAt: 600_000 },
    ]);
    assert.deepEqual(
      [exit, devices.paired, devices.closed],
      [
        0,
        [
          { person: 'Ada Lovelace', role: 'reader' },
          { person: 'Ada', role: 'reviewer' },
        ],
        2,
      ],
    );
  });

  it('join with a code, and are told when it is no good', async () => {
    const { bench, devices } = start();
    assert.match((await bench.run('team join GOOD')).out, /now decides for Ada \(admin\)/);
    const { exit, err } = await bench.run('team join BAD');
    assert.match(err, /doesn't exist, has expired, or was used/);
    assert.deepEqual([exit, devices.joined, devices.closed], [1, ['GOOD', 'BAD'], 2]);
  });

  it('are listed with this installation marked, without their keys', async () => {
    const { bench } = start();
    const { out } = await bench.run('team devices');
    assert.match(
      out,
      /^111111111111 {2}admin {5}Ada {2}laptop {2}added 1970-01-01 {2}\(this installation\)\n12ab/,
    );
    const { all } = await bench.json('team devices');
    assert.deepEqual(
      all('device').map(({ person, own }) => [person, own]),
      [
        ['Ada', true],
        ['Bob', false],
      ],
    );
    assert.ok(all('device').every((device) => !('publicKey' in device)));
  });

  it('are revoked after a yes, by as much of the ID as it takes', async () => {
    const { bench, devices } = start();
    const revoked = () => devices.keys.map(({ revokedAt }) => revokedAt);
    assert.match((await bench.run('team revoke 12ab')).out, /Nothing was revoked/);
    bench.confirms = false;
    await bench.run('team revoke 12ab');
    assert.deepEqual(revoked(), [null, null]);
    bench.confirms = true;
    const { exit, out } = await bench.run('team revoke 12AB12');
    assert.equal(exit, 0);
    assert.match(out, /before stays:\n  1970-01-01T00:00:00.000Z  acme\/web WEB-1  approve\n/);
    assert.deepEqual(revoked(), [null, 5]);
    for (const id of ['1', '9999', '']) assert.equal((await bench.run('team revoke --yes', id)).exit, 2);
    assert.deepEqual(revoked(), [null, 5]);
  });

  it('need a team, a name and a role', async () => {
    const { bench, devices } = start();
    for (const line of ['team pair', 'team pair --person Ada --role owner'])
      assert.equal((await bench.run(line)).exit, 2, line);
    bench.env = { HOME: '/home/ada' };
    assert.match((await bench.run('team devices')).err, /Specify --team URL, or set BEADSMITH_TEAM/);
    assert.deepEqual(devices.paired, []);
  });

  it('are no matter of an agent, except to read', async () => {
    const { bench, devices } = start();
    bench.isByAgent = true;
    for (const line of ['team pair --person Ada', 'team join GOOD', 'team revoke 12ab --yes'])
      assert.match((await bench.run(line)).err, /Agents and ticket commands/, line);
    assert.equal((await bench.run('team devices')).exit, 0);
    assert.deepEqual([devices.paired, devices.joined], [[], []]);
  });
});
