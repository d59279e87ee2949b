import assert from 'node:assert/strict';
import {
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { alteredTools, noteTools } from '../../../../src/adapters/git/worktrees/filesOnDisk.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('the note of the tools in a scratch worktree', () => {
  const makeFolder = tempFolders();
  const made = { made: ['node_modules', 'target', 'tools'], folders: ['tools'] };

  async function place() {
    const folder = await makeFolder();
    const write = (path: string, text = 'text'): void => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    for (const path of [
      'node_modules/a/index.js',
      'node_modules/b/index.js',
      'node_modules/.cache/c',
      'target/d',
      'tools/run',
    ])
      write(path);
    mkdirSync(join(folder, 'node_modules/.bin'));
    symlinkSync('../a/index.js', join(folder, 'node_modules/.bin/a'));
    write('store');
    linkSync(join(folder, 'store'), join(folder, 'node_modules/b/linked.js'));
    const note = await noteTools(folder, made);
    return { at: (path: string) => join(folder, path), write, altered: () => alteredTools(folder, note) };
  }

  it('is the same until a tool is changed, and names what was written, came, went and leads elsewhere', async () => {
    const { at, write, altered } = await place();
    assert.deepEqual(await altered(), []);
    for (const path of ['node_modules/a/index.js', 'node_modules/new/index.js', 'tools/run'])
      write(path, 'evil');
    rmSync(at('node_modules/b'), { recursive: true });
    unlinkSync(at('node_modules/.bin/a'));
    symlinkSync('../new/index.js', at('node_modules/.bin/a'));
    assert.deepEqual((await altered()).toSorted(), [
      'node_modules/.bin/a',
      'node_modules/a/index.js',
      'node_modules/b/index.js',
      'node_modules/b/linked.js',
      'node_modules/new/index.js',
      'tools/run',
    ]);
  });

  it('sees a text of the same length whose time was set back, and not that a file got a further name', async () => {
    const { at, write, altered } = await place();
    const { atime, mtime } = statSync(at('node_modules/a/index.js'));
    write('node_modules/a/index.js', 'evil');
    utimesSync(at('node_modules/a/index.js'), atime, mtime);
    linkSync(at('store'), at('elsewhere'));
    assert.deepEqual(await altered(), ['node_modules/a/index.js']);
  });

  it('leaves out what tools write while they run, and what a build made', async () => {
    const { write, altered } = await place();
    for (const path of [
      'node_modules/.cache/c',
      'node_modules/.vite/deps.js',
      'tools/__pycache__/x.pyc',
      'target/d',
      'target/e',
    ])
      write(path);
    assert.deepEqual(await altered(), []);
  });

  it('reads so many entries and no more, in the same order each time', async () => {
    const { at } = await place();
    const { facts } = await noteTools(at(''), made, 5);
    assert.deepEqual(Object.keys(facts), ['node_modules/.bin/a']);
  });
});
