import assert from 'node:assert/strict';
import { lstat, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorktreeFiles } from '../../../../src/adapters/files/ticketFiles.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { withCode } from '../../../support/git/gitBench.ts';

describe('files of a worktree', () => {
  const makeFolder = tempFolders();
  const files = new WorktreeFiles();

  it('are written, read, appended to and removed below .ticket', async () => {
    const worktree = await makeFolder();
    await files.write(worktree, '.ticket/beads/main/.beads/issues.jsonl', '{"id":"ä"}\n');
    assert.equal(await files.read(worktree, '.ticket/beads/main/.beads/issues.jsonl'), '{"id":"ä"}\n');
    await files.write(worktree, '.ticket/run', '#!/bin/sh\n', { executable: true });
    assert.equal((await stat(join(worktree, '.ticket/run'))).mode & 0o111, 0o111);
    await files.write(worktree, '.ticket/run', 'no program');
    assert.equal((await stat(join(worktree, '.ticket/run'))).mode & 0o111, 0);
    await files.append(worktree, '.ticket/log', 'a\n');
    await files.append(worktree, '.ticket/log', 'b\n');
    assert.equal(await files.read(worktree, '.ticket/log'), 'a\nb\n');
    assert.deepEqual((await readdir(join(worktree, '.ticket'))).sort(), ['beads', 'log', 'run']);
    assert.ok(await files.exists(worktree, '.ticket/beads'));
    await files.remove(worktree, '.ticket/beads');
    await files.remove(worktree, '.ticket/beads/main');
    assert.equal(await files.exists(worktree, '.ticket/beads'), false);
    assert.equal(await files.read(worktree, '.ticket/missing'), undefined);
    assert.equal(await files.read(worktree, '.ticket'), undefined);
  });

  it('can be looked for anywhere in the worktree, and written nowhere else', async () => {
    const worktree = await makeFolder();
    await mkdir(join(worktree, 'src'));
    await writeFile(join(worktree, 'src/a.ts'), 'a');
    await symlink('src', join(worktree, 'alias'));
    assert.ok(await files.exists(worktree, 'src/a.ts'));
    assert.equal(await files.read(worktree, 'alias/a.ts'), 'a');
    for (const path of ['src/a.ts', '.ticket', '.tickets/x', 'x', 'src/.ticket/x']) {
      await assert.rejects(files.write(worktree, path, 'x'), withCode('OUTSIDE_WORKTREE'), path);
      await assert.rejects(files.append(worktree, path, 'x'), withCode('OUTSIDE_WORKTREE'), path);
      await assert.rejects(files.remove(worktree, path), withCode('OUTSIDE_WORKTREE'), path);
    }
    assert.equal(await readFile(join(worktree, 'src/a.ts'), 'utf8'), 'a');
  });

  it('never lie outside', async () => {
    const worktree = await makeFolder();
    const paths = [
      '../../x',
      '.ticket/../../x',
      '/etc/passwd',
      '.ticket//x',
      '.ticket/./x',
      '.ticket/.git/x',
      '.ticket/x\0',
      'C:\\x',
      '.ticket\\..\\x',
      '~/x',
    ];
    for (const path of paths) {
      const refused = withCode('OUTSIDE_WORKTREE');
      await assert.rejects(files.write(worktree, path, 'x'), refused, path);
      await assert.rejects(files.read(worktree, path), refused, path);
      await assert.rejects(files.exists(worktree, path), refused, path);
      await assert.rejects(files.remove(worktree, path), refused, path);
    }
  });

  it('are not reached through links an agent made', async () => {
    const [worktree, outside] = [await makeFolder(), await makeFolder()];
    const refused = withCode('OUTSIDE_WORKTREE');
    await writeFile(join(outside, 'secret'), 'secret');
    await mkdir(join(worktree, '.ticket'));
    await symlink(outside, join(worktree, '.ticket/runtime'));
    await symlink(join(outside, 'secret'), join(worktree, '.ticket/log'));
    await symlink(join(outside, 'secret'), join(worktree, '.ticket/prd.yaml'));
    await assert.rejects(files.write(worktree, '.ticket/runtime/state.yaml', 'x'), refused);
    await assert.rejects(files.remove(worktree, '.ticket/runtime/secret'), refused);
    await assert.rejects(files.append(worktree, '.ticket/log', 'x'), refused);
    await assert.rejects(files.read(worktree, '.ticket/log'), refused);
    // A link in the place of a file is replaced; what it pointed at stays.
    await files.write(worktree, '.ticket/prd.yaml', 'ours');
    assert.ok((await lstat(join(worktree, '.ticket/prd.yaml'))).isFile());
    await files.remove(worktree, '.ticket/runtime');
    assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret');

    const other = await makeFolder();
    await symlink(outside, join(other, '.ticket'));
    await assert.rejects(files.write(other, '.ticket/secret', 'x'), refused);
    assert.equal(await readFile(join(outside, 'secret'), 'utf8'), 'secret');
  });

  it('leave no half-written file when writing fails', async () => {
    const worktree = await makeFolder();
    await mkdir(join(worktree, '.ticket/folder'), { recursive: true });
    await assert.rejects(files.write(worktree, '.ticket/folder', 'x'));
    assert.deepEqual(await readdir(join(worktree, '.ticket')), ['folder']);
  });

  it('need a worktree', async () => {
    const missing = join(await makeFolder(), 'missing');
    await assert.rejects(files.write(missing, '.ticket/x', 'x'), withCode('WORKTREE_LOST'));
    assert.equal(await files.exists(missing, '.ticket/x'), false);
  });
});
