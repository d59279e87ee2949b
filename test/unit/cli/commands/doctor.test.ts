import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { type Check, checked } from '../../../../src/protocol/checks.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';

async function* told(...checks: readonly Check[]): AsyncGenerator<Check, void, undefined> {
  yield* checks;
}
const git = checked('git', 'pass', 'GIT_READY', { version: '2.50' });
const changed = checked('repository', 'warn', 'CHECKOUT_CHANGED', {
  root: '/sample',
  branch: 'main',
  count: 2,
});
const damaged = checked('journals', 'fail', 'JOURNAL_DAMAGED', { ticket: 'TST-1', seq: 3, backups: '/b' });
const untrusted = checked('opencode', 'skip', 'UNTRUSTED');

const doctor = (machine: readonly Check[], repository: readonly Check[]): CommandBench =>
  new CommandBench({}, { checkMachine: () => told(...machine), checkRepository: () => told(...repository) });

describe('doctor', () => {
  it('says of each check what was found and what to do', async () => {
    const bench = doctor([git, untrusted], [changed]);
    const { out, exit } = await bench.run('doctor');
    assert.equal(
      out,
      [
        '✓ git: git 2.50',
        '- opencode: Not checked: this would run a program, and the workspace isn’t trusted.',
        '    Trust the workspace, then check again.',
        '! repository: /sample, on main, with 2 uncommitted changes',
        '    Commit the changes that tickets should see. Beadsmith never changes your checkout.',
        '',
      ].join('\n'),
    );
    assert.deepEqual([exit, bench.opened.map(({ drive }) => drive), bench.app.disposed], [0, [false], 1]);
    const { all, end } = await doctor([git], [changed]).json('doctor');
    assert.deepEqual(
      all('check').map(({ name, result, message }) => [name, result, message]),
      [
        ['git', 'pass', 'git 2.50'],
        ['repository', 'warn', '/sample, on main, with 2 uncommitted changes'],
      ],
    );
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });

  it('fails when something fails', async () => {
    const { out, exit } = await doctor([git], [damaged]).run('doctor');
    assert.equal(exit, 1);
    assert.match(
      out,
      /✗ journals: The journal of TST-1 is damaged at entry 3\.\n {4}Restore a backup: "beadsmith restore" lists those in \/b\.\n$/,
    );
  });

  it('says why the repository can’t be opened, after what it found of the machine', async () => {
    const bench = new CommandBench(
      {},
      {
        checkMachine: () => told(git),
        openApp: () => Promise.reject(new BeadsmithError('NOT_A_REPOSITORY', { path: '/sample' })),
      },
    );
    const { all, exit } = await bench.json('doctor');
    assert.deepEqual(
      all('check').map(({ name, result }) => [name, result]),
      [
        ['git', 'pass'],
        ['repository', 'fail'],
      ],
    );
    assert.equal(exit, 1);
  });

  itRefuses([['doctor now', 2, /"now" is an unexpected argument\./]], () => doctor([], []));
});
