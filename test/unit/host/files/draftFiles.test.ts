import assert from 'node:assert/strict';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DraftFiles } from '../../../../src/host/files/draftFiles.ts';
import type { DraftPlace } from '../../../../src/views/pages/pageDrafts.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

describe('the files of drafts', () => {
  const temp = folderForEach('drafts');
  let folder: string;
  const place: DraftPlace = { page: 'interview', root: '/sample', ticket: 'TST-1' };

  beforeEach(() => (folder = join(temp.path, 'drafts')));

  it('are read by every window, and gone when nothing is left', async () => {
    const [here, there] = [new DraftFiles(folder), new DraftFiles(folder)];
    assert.deepEqual(await there.read(place), {});
    await here.change(place, { answer: 'half', other: [1] });
    assert.deepEqual(await there.read(place), { answer: 'half', other: [1] });
    assert.deepEqual(await there.read({ ...place, ticket: 'TST-2' }), {});
    assert.deepEqual(await there.read({ ...place, page: 'approval' }), {});
    await there.change(place, { answer: null });
    assert.deepEqual(await here.read(place), { other: [1] });
    await here.change(place, { other: null });
    assert.deepEqual(await readdir(folder), []);
  });

  it('keep changes that are made at the same time', async () => {
    const files = new DraftFiles(folder);
    await Promise.all(
      [1, 2, 3, 4].map((number) => files.change(place, { [`key${String(number)}`]: number })),
    );
    assert.deepEqual(await files.read(place), { key1: 1, key2: 2, key3: 3, key4: 4 });
  });

  it('are the same for every checkout of a repository', async () => {
    const files = new DraftFiles(folder);
    const [main, worktree] = [join(temp.path, 'main'), join(temp.path, 'main.worktrees', 'TST-1')];
    const gitDir = join(main, '.git', 'worktrees', 'TST-1');
    await mkdir(gitDir, { recursive: true });
    await mkdir(worktree, { recursive: true });
    await writeFile(join(worktree, '.git'), `gitdir: ${gitDir}\n`);
    await writeFile(join(gitDir, 'commondir'), '../..\n');
    await files.change({ ...place, root: main }, { answer: 'half' });
    assert.deepEqual(await files.read({ ...place, root: worktree }), { answer: 'half' });
  });

  it('count as none when they make no sense, and are replaced', async () => {
    const files = new DraftFiles(folder);
    await files.change(place, { answer: 'half' });
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), '{"schema":1,"dra');
    assert.deepEqual(await files.read(place), {});
    await files.change(place, { answer: 'again' });
    assert.deepEqual(await files.read(place), { answer: 'again' });
  });

  it('are no more than a person needs: the oldest are removed', async () => {
    const files = new DraftFiles(folder);
    for (let number = 1; number <= 203; number++)
      await files.change({ ...place, ticket: `TST-${String(number)}` }, { number });
    assert.equal((await readdir(folder)).length, 200);
    assert.deepEqual(await files.read({ ...place, ticket: 'TST-203' }), { number: 203 });
  });

  it('are stored although another window removes an old one meanwhile', async () => {
    const files = new DraftFiles(folder);
    await mkdir(folder);
    for (let number = 1; number <= 200; number++)
      await writeFile(join(folder, `${String(number)}.json`), '{}');
    await symlink(join(folder, 'nothing'), join(folder, 'gone.json'));
    await files.change({ ...place, ticket: 'TST-201' }, { answer: 'half' });
    assert.deepEqual(await files.read({ ...place, ticket: 'TST-201' }), { answer: 'half' });
  });

  it('keep whatever was typed as it is: long texts, any letter, and names that every object has', async () => {
    const files = new DraftFiles(folder);
    const drafts = {
      answer: '\u202E🙂\0\r\n"'.repeat(50_000),
      constructor: 'x',
      toString: [null, { deep: [1.5] }],
    };
    await files.change(place, drafts);
    assert.deepEqual(await new DraftFiles(folder).read(place), drafts);
    await files.change(place, { toString: null });
    assert.deepEqual(Object.keys(await files.read(place)), ['answer', 'constructor']);
  });

  it('are readable by this user alone', async () => {
    await new DraftFiles(folder).change(place, { answer: 'half' });
    const [name = ''] = await readdir(folder);
    const modes = await Promise.all(
      [folder, join(folder, name)].map(async (path) => (await stat(path)).mode & 0o777),
    );
    assert.deepEqual(modes, [0o700, 0o600]);
  });
});
