import assert from 'node:assert/strict';
import type { Team, TeamTickets } from '../../../src/app/team.ts';
import { CommandBench } from '../commandBench.ts';
import { FakeApp } from '../fakes/fakeApp.ts';
import { ticketView } from '../fakes/fakeClient.ts';

/** A team with one ticket in each of two repositories, and none in a third. */
export class FakeTeam implements Team {
  readonly here = new FakeApp({}, { repository: { mode: 'team' } });
  readonly openedIn: string[] = [];
  readonly made: string[] = [];
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

  openHere: Team['openHere'] = (folder, { make = false } = {}) => {
    if (make) this.made.push(folder);
    this.openedIn.push(folder);
    return Promise.resolve(this.#tickets(this.here));
  };

  find: Team['find'] = () => Promise.resolve(this.#tickets(this.here));

  #tickets({ client, repository, ports }: FakeApp): TeamTickets {
    return {
      client,
      repository,
      ports,
      file: () => assert.fail('nothing is filed'),
      checkOut: () => assert.fail('nothing is checked out'),
      close: async () => {
        this.closed++;
      },
    };
  }
}

/** A command line that can open a team. */
export function teamBench(): {
  readonly bench: CommandBench;
  readonly team: FakeTeam;
  readonly urls: string[];
} {
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
