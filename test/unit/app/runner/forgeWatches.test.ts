import assert from 'node:assert/strict';
import { ForgeWatches } from '../../../../src/app/runner/forgeWatches.ts';
import type { RepositoryRow, RunnerRow } from '../../../../src/adapters/store/postgres/runnerRows.ts';

const repositories: readonly RepositoryRow[] = [
  { id: 1, name: 'github.com/acme/greeter', url: '', commits: '' },
  { id: 2, name: 'github.com/acme/other', url: '', commits: '' },
];

type Published = ReadonlyMap<string, number>;

function runner(id: string, can: RunnerRow['can'] = {}, silent = false): RunnerRow {
  return {
    id,
    can,
    silent,
    host: 'here',
    version: 'v1',
    at_once: 2,
    wanted: 'work',
    started_at: 1,
    seen_at: 1,
  };
}

describe('a team’s watch of pull requests', () => {
  let published: Record<number, Published>;
  let runners: readonly RunnerRow[];
  let said: string[];
  let isLost: boolean;
  let watches: ForgeWatches;

  beforeEach(() => {
    published = { 1: new Map([['GRT-1', 5]]) };
    runners = [];
    said = [];
    isLost = false;
    watches = new ForgeWatches({
      runner: 'me',
      rows: {
        published: (id) => Promise.resolve(published[id] ?? new Map()),
        runners: () => Promise.resolve(runners),
      },
      open: (name) => {
        said.push(`open ${name}`);
        const opened = {
          isLost: false,
          watch: (ids: Published) => said.push(`watch ${[...ids.keys()].join()}`),
        };
        return Promise.resolve(Object.defineProperty(opened, 'isLost', { get: () => isLost }));
      },
      log: (line) => said.push(line),
    });
  });

  const [me, other] = [runner('me'), runner('other')];
  const opened = [
    'open github.com/acme/greeter',
    'github.com/acme/greeter: this runner watches the pull requests',
    'watch GRT-1',
  ];

  async function after(living: readonly RunnerRow[], ...lines: readonly string[]): Promise<void> {
    said.length = 0;
    runners = living;
    await watches.follow(repositories);
    assert.deepEqual(said, lines);
  }

  it('is the business of the oldest runner, for the repositories that have one', async () => {
    await after([other, me]);
    await after([me, other], ...opened);
    published = {
      1: new Map([
        ['GRT-1', 5],
        ['GRT-2', 7],
      ]),
    };
    await after([me, other], 'watch GRT-1,GRT-2');
  });

  it('ends once another runner is the oldest, and when the last one is over', async () => {
    await after([me, other], ...opened);
    await after([other, me], 'watch ');
    await after([runner('other', {}, true), me], ...opened);
    published = {};
    await after([me, other], 'watch ');
  });

  it('is left to a runner with a sign-in at the forge, if there is one', async () => {
    const signedIn = { 'forge:github.com': 'yes' };
    await after([me, runner('other', signedIn)]);
    await after([other, runner('me', signedIn)], ...opened);
    await after([other, runner('me', { 'forge:github.example': 'yes' })], 'watch ');
  });

  it('continues with a repository that was opened again, and says what went wrong', async () => {
    await after([me], ...opened);
    isLost = true;
    await after([me], ...opened);
    published = new Proxy({}, { get: () => assert.fail('the server is away') });
    said.length = 0;
    await watches.follow(repositories);
    await watches.follow(repositories);
    assert.equal(said.length, 2, 'once for each, and not again at once');
    assert.match(said[0] ?? '', /acme\/greeter: pull requests aren't watched: the server is away/);
  });
});
