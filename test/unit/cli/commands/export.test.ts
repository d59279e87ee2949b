import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitCodes } from '../../../../src/cli/base/exitCodes.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('export', () => {
  const makeFolder = tempFolders();
  async function bench(): Promise<CommandBench> {
    const made = new CommandBench();
    made.cwd = await makeFolder();
    return made;
  }

  it('writes everything that is known of a ticket into a folder, the manifest last', async () => {
    const one = await bench();
    const { all, end } = await one.json('export TST-1');
    const folder = join(one.cwd, 'TST-1-export');
    assert.deepEqual(all('exported'), [{ type: 'exported', ticket: 'TST-1', folder }]);
    assert.deepEqual([end?.exit, end?.status], [0, 'WAITING_PRD_APPROVAL']);
    const names = await readdir(folder);
    for (const name of ['ticket.json', 'journal.ndjson', 'README.md', 'export.json'])
      assert.ok(names.includes(name), name);
    assert.deepEqual(await readdir(one.cwd), ['TST-1-export'], 'nothing is left beside it');
  });

  it('writes into the folder that is named, and says so', async () => {
    const one = await bench();
    assert.equal(
      (await one.run('export TST-1 --to there')).out,
      `TST-1 is exported to ${join(one.cwd, 'there')}\n`,
    );
  });

  it('replaces an export of the ticket, and nothing else', async () => {
    const one = await bench();
    await one.run('export TST-1 --to there');
    await writeFile(join(one.cwd, 'there/mine.txt'), 'mine');
    const again = await one.run('export TST-1 --to there');
    assert.match(
      again.err,
      /The folder .*there can't be used: it already exists; choose another folder with --to, or use --replace/,
    );
    assert.equal(again.exit, exitCodes.usage);
    assert.equal((await one.run('export TST-1 --to there --replace')).exit, 0);
    assert.ok(!(await readdir(join(one.cwd, 'there'))).includes('mine.txt'));
    await mkdir(join(one.cwd, 'other'));
    await writeFile(join(one.cwd, 'other/mine.txt'), 'mine');
    const other = await one.run('export TST-1 --to other --replace');
    assert.match(other.err, /it isn't an export of this ticket/);
    assert.deepEqual(
      [other.exit, await readFile(join(one.cwd, 'other/mine.txt'), 'utf8')],
      [exitCodes.usage, 'mine'],
    );
  });

  it('leaves nothing when it is stopped', async () => {
    for (const [signal, code] of [
      ['SIGINT', exitCodes.interrupted],
      ['SIGTERM', exitCodes.terminated],
    ] as const) {
      const one = await bench();
      const { history } = one.app.client;
      history.journal = () => {
        one.stop.abort(signal);
        return Promise.resolve([]);
      };
      assert.equal((await one.run('export TST-1')).exit, code);
      assert.deepEqual(await readdir(one.cwd), []);
    }
  });

  itRefuses([
    ['export TST-9', 2, /The ticket TST-9 doesn't exist\./],
    ['export', 2, /An argument is missing/],
  ]);
});
