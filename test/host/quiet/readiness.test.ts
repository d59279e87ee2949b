import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { watchBranches } from '../../../src/host/repositories/driveRepository.ts';
import { Board } from '../../../src/views/tickets/board.ts';
import { ReadinessLook } from '../../../src/views/tickets/ticketsView.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';
import { FakeRepositories, openRepository } from '../../support/fakes/fakeRepositories.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

/** What the view says of a real repository that has no commits yet. */
describe('a repository without commits', () => {
  it('is ready as soon as a commit is made outside of the view', async () => {
    const place = tempFolder('readiness');
    const git = async (...args: string[]): Promise<void> => {
      await promisify(execFile)('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
        cwd: place.path,
      });
    };
    const hasCommits = (): Promise<boolean> =>
      git('rev-parse', '--verify', 'HEAD').then(
        () => true,
        () => false,
      );
    let watches = 0;
    const client = new FakeClient({ root: place.path });
    const repository = openRepository(client, {
      readiness: async () => ({ hasCommits: await hasCommits(), opencode: 'found' }),
      watchBranches: (listener) => {
        watches += 1;
        const watch = watchBranches(join(place.path, '.git'), listener);
        return {
          dispose: () => {
            watches -= 1;
            watch.dispose();
          },
        };
      },
    });
    const repositories = new FakeRepositories();
    const board = new Board(repositories);
    const look = new ReadinessLook({
      repositories,
      board,
      logError: (_what, error) => assert.fail(String(error)),
    });
    try {
      await git('init', '--initial-branch=topic/first');
      repositories.entries = [{ kind: 'open', root: place.path, name: 'sample', repository }];
      await board.refresh();
      await until(() => look.found?.hasCommits === false, 'the view says that there are no commits');
      await git('commit', '--allow-empty', '-m', 'First');
      await until(() => look.found?.hasCommits === true, 'the view sees the commit');
      assert.equal(watches, 0, 'nothing is watched any longer');
    } finally {
      look.dispose();
      board.dispose();
      place.remove();
    }
  });
});
