import assert from 'node:assert/strict';
import type { Team, TeamTickets } from '../../../../src/app/team.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';
import { until } from '../../../support/until.ts';

/** A team with one ticket in each of two repositories, and none in a third. */
class FakeTeam implements Team {
  readonly here = new FakeApp();
  readonly openedIn: string[] = [];
  closed = 0;

  names: Team['names'] = () => Promise.resolve(['acme/api', 'acme/empty', 'acme/web']);

  open: Team['open'] = (name) => {
    const app = new FakeApp();
    if (name !== 'acme/empty')
      app.client.views = [
        ticketView({ id: 'TST-1', title: `Work on ${name}`, label: 'Draft', column: 'To Do' }),
      ];
    return Promise.resolve(this.#tickets(app));
  };

  openHere: Team['openHere'] = (folder) => {
    this.openedIn.push(folder);
    return Promise.resolve(this.#tickets(this.here));
  };

  #tickets({ client, repository, ports }: FakeApp): TeamTickets {
    return {
      client,
      repository,
      ports,
      close: async () => {
        this.closed++;
      },
    };
  }
}

function teamBench(): { readonly bench: CommandBench; readonly team: FakeTeam; readonly urls: string[] } {
  const team = new FakeTeam();
  const urls: string[] = [];
  const bench = new CommandBench(
    {},
    {
      openTeam: ({ url }) => {
        urls.push(url);
        return team;
      },
    },
  );
  return { bench, team, urls };
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
    let stopped = 0;
    const bench = new CommandBench(
      {},
      {
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
    return { bench, folders, stopped: () => stopped };
  };

  it('says where the server is, and stops it when asked to end', async () => {
    const { bench, folders, stopped } = start(new Promise(() => undefined));
    const running = bench.run('team up');
    await until(() => folders.length > 0, 'the server is started');
    bench.stop.abort('SIGINT');
    const { exit, out } = await running;
    assert.match(out, /BEADSMITH_TEAM='postgres:\/\/here'/);
    assert.deepEqual([exit, stopped()], [0, 1]);
    assert.match(folders[0] ?? '', /\/home\/ada\/.*beadsmith\/team$/);
  });

  it('fails when the server ends by itself', async () => {
    const { bench } = start(Promise.resolve());
    const { exit, err } = await bench.run('team up');
    assert.equal(exit, 1);
    assert.match(err, /PostgreSQL ended by itself/);
  });
});
