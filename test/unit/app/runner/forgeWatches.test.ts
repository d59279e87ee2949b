import assert from 'node:assert/strict';
import { ForgeWatches } from '../../../../src/app/runner/forgeWatches.ts';
import type { RepositoryRow } from '../../../../src/adapters/store/postgres/runnerRows.ts';

const repositories: readonly RepositoryRow[] = [
  { id: 1, name: 'acme/greeter', url: '', commits: '' },
  { id: 2, name: 'acme/other', url: '', commits: '' },
];

describe('a team’s watch of pull requests', () => {
  let published: Record<number, readonly string[]>;
  let said: string[];
  let isLost: boolean;
  let watches: ForgeWatches;

  beforeEach(() => {
    published = { 1: ['GRT-1'], 2: [] };
    said = [];
    isLost = false;
    watches = new ForgeWatches({
      rows: { published: (id) => Promise.resolve(published[id] ?? []) },
      open: (name) => {
        said.push(`open ${name}`);
        const opened = { isLost: false, watch: (ids: readonly string[]) => said.push(`watch ${ids.join()}`) };
        return Promise.resolve(Object.defineProperty(opened, 'isLost', { get: () => isLost }));
      },
      log: (line) => said.push(line),
    });
  });

  async function after(leads: boolean, ...lines: readonly string[]): Promise<void> {
    said.length = 0;
    await watches.follow(repositories, leads);
    assert.deepEqual(said, lines);
  }

  it('is the business of the runner that leads, for the repositories that have one', async () => {
    await after(false);
    await after(
      true,
      'open acme/greeter',
      'acme/greeter: this runner watches the pull requests',
      'watch GRT-1',
    );
    published = { 1: ['GRT-1', 'GRT-2'] };
    await after(true, 'watch GRT-1,GRT-2');
  });

  it('ends once another runner leads, and when the last one is over', async () => {
    await watches.follow(repositories, true);
    await after(false, 'watch ');
    await after(
      true,
      'open acme/greeter',
      'acme/greeter: this runner watches the pull requests',
      'watch GRT-1',
    );
    published = {};
    await after(true, 'watch ');
  });

  it('continues with a repository that was opened again, and says what went wrong', async () => {
    await watches.follow(repositories, true);
    isLost = true;
    await after(
      true,
      'open acme/greeter',
      'acme/greeter: this runner watches the pull requests',
      'watch GRT-1',
    );
    published = new Proxy({}, { get: () => assert.fail('the server is away') });
    said.length = 0;
    await watches.follow(repositories, true);
    await watches.follow(repositories, true);
    assert.equal(said.length, 2, 'once for each, and not again at once');
    assert.match(said[0] ?? '', /acme\/greeter: pull requests aren't watched: the server is away/);
  });
});
