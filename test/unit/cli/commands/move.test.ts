import assert from 'node:assert/strict';
import type { MoveOptions } from '../../../../src/app/runner/moveTicket.ts';
import type { Team } from '../../../../src/app/team.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { FakeApp } from '../../../support/fakes/fakeApp.ts';

describe('move', () => {
  const start = (app = new FakeApp()) => {
    const moved: MoveOptions[] = [];
    const here = new FakeApp();
    let closed = 0;
    const team: Pick<Team, 'openHere'> = {
      openHere: () =>
        Promise.resolve({
          client: here.client,
          repository: here.repository,
          ports: here.ports,
          file: () => assert.fail('nothing is filed'),
          checkOut: () => assert.fail('nothing is checked out'),
          close: async () => {
            closed++;
          },
        }),
    };
    const bench = new CommandBench(
      {},
      {
        app,
        openTeam: () => team as Team,
        moveTicket: async (options) => void moved.push(options),
      },
    );
    bench.types = 'the word';
    bench.env = { ...bench.env, BEADSMITH_TEAM: 'postgres://db/team' };
    return { bench, moved, closed: () => closed, here };
  };

  it('hands a ticket over once a person has confirmed it, and says what stays', async () => {
    const { bench, moved, closed, here } = start();
    const { exit, out } = await bench.run('move tst-1 --to team');
    const [one] = moved;
    assert.deepEqual([exit, closed()], [0, 1]);
    assert.deepEqual([one?.ticket, one?.to, one?.url], ['TST-1', 'team', 'postgres://db/team']);
    assert.equal(one?.team, here.client);
    assert.match(bench.questions[0] ?? '', /TST-1 moves to the team/);
    assert.match(out, /Its worktree here stays/);
  });

  it('moves nothing without a person', async () => {
    const { bench, moved } = start();
    bench.types = undefined;
    assert.equal((await bench.run('move TST-1 --to here')).exit, 6);
    assert.deepEqual(moved, []);
  });

  it('needs a place, a ticket, and a team', async () => {
    const { bench } = start();
    assert.match((await bench.run('move TST-1')).err, /--to team or --to here/);
    assert.match((await bench.run('move TST-1 --to nowhere')).err, /--to team or --to here/);
    assert.match((await bench.run('move whatever --to team')).err, /not a valid ticket ID/);
    bench.env = { HOME: '/home/ada' };
    assert.match((await bench.run('move TST-1 --to team')).err, /BEADSMITH_TEAM/);
  });

  it('says what to do while another process works on the tickets', async () => {
    const app = new FakeApp({}, { repository: { mode: 'follower' } });
    Object.assign(app, { mode: 'follower' });
    const { bench, moved } = start(app);
    const { exit, err } = await bench.run('move TST-1 --to team');
    assert.match(err, /Close the editor window/);
    assert.deepEqual([exit, moved], [1, []]);
  });
});
