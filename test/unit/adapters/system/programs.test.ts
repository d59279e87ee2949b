import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  findGit,
  findProgram,
  repositoryFolders,
  safePath,
  withSafePath,
} from '../../../../src/adapters/system/programs.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

describe('finding programs', () => {
  const folder = folderForEach('programs');
  let root: string;
  beforeEach(() => (root = realpathSync(folder.path)));

  function program(path: string): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    return file;
  }
  const pathOf = (...entries: readonly string[]) => ({ PATH: entries.join(delimiter) });

  it('takes none from a repository, its worktrees, packages, or the current folder', () => {
    const good = program('bin/git');
    mkdirSync(join(root, 'repo/.git'), { recursive: true });
    const inside = repositoryFolders(join(root, 'repo'));
    const bad = ['repo/tools/git', 'repo.worktrees/ABC-1/tools/git', 'elsewhere/node_modules/.bin/git'].map(
      program,
    );
    symlinkSync(join(root, 'repo/tools'), join(root, 'linked'));
    mkdirSync(join(root, 'links'));
    symlinkSync(join(root, 'repo/tools/git'), join(root, 'links/git'));
    const entries = [
      ...bad.map(dirname),
      join(root, 'linked'),
      join(root, 'links'),
      '.',
      '',
      'tools',
      './node_modules/.bin',
    ];
    assert.equal(findProgram(['git'], pathOf(...entries, dirname(good)), inside), good);
    assert.equal(findProgram(['git'], pathOf(...entries), inside), undefined);
    assert.equal(
      safePath(pathOf(...entries, dirname(good)), inside),
      [join(root, 'links'), dirname(good)].join(delimiter),
    );
    assert.deepEqual(withSafePath({ Path: `.${delimiter}${dirname(good)}`, HOME: '/h' }, inside), {
      HOME: '/h',
      PATH: dirname(good),
    });
  });

  it('takes the git that is named, if it is there and in no repository, before the one on PATH', () => {
    const [onPath, named, other] = ['bin/git', 'portable/git', 'other/my-git'].map(program) as [
      string,
      string,
      string,
    ];
    const [bad] = ['repo/tools/git'].map(program);
    mkdirSync(join(root, 'repo/.git'), { recursive: true });
    const inside = repositoryFolders(join(root, 'repo'));
    const found = (...names: readonly (string | undefined)[]) =>
      findGit({ ...pathOf(dirname(onPath)), BEADSMITH_GIT: names.join(delimiter) }, inside);
    assert.equal(found(named), named);
    assert.equal(found(join(root, 'gone/git'), other, named), other);
    for (const none of [bad, 'git', './tools/git', join(root, 'gone/git'), ''])
      assert.equal(found(none), onPath, none);
  });

  it('takes the first that can be started', () => {
    mkdirSync(join(root, 'a/git'), { recursive: true });
    mkdirSync(join(root, 'b'));
    writeFileSync(join(root, 'b/git'), 'a text', { mode: 0o644 });
    const good = program('c/git.exe');
    const entries = ['a', 'b', 'c'].map((name) => join(root, name));
    assert.equal(findProgram(['git', 'git.exe'], pathOf(...entries)), good);
    assert.equal(findProgram(['git'], {}), undefined);
  });

  it('knows the folders of a repository from any of its checkouts', () => {
    const main = join(root, 'repo');
    mkdirSync(join(main, '.git/worktrees/ABC-1'), { recursive: true });
    mkdirSync(join(main, 'src/deep'), { recursive: true });
    writeFileSync(join(main, '.git/worktrees/ABC-1/commondir'), '../..\n');
    const worktree = join(root, 'elsewhere/ABC-1');
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(worktree, '.git'), `gitdir: ${join(main, '.git/worktrees/ABC-1')}\n`);
    assert.deepEqual(repositoryFolders(join(main, 'src/deep')), [main, `${main}.worktrees`]);
    assert.deepEqual(repositoryFolders(worktree), [worktree, main, `${main}.worktrees`]);
  });
});
