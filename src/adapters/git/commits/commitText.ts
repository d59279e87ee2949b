import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import type { GitCli } from '../cli/gitCli.ts';
import { durable } from '../cli/revisions.ts';
import { placeOf } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * The tree of a commit with the text of one file replaced. The worktree's files and index aren't read, so
 * nothing there can get into it and no link can redirect it. The file keeps its mode. Throws INVALID_INPUT if
 * there is no such regular file.
 */
export async function treeWithText(
  cli: GitCli,
  own: OwnWorktree,
  commit: string,
  file: { readonly path: string; readonly text: string },
): Promise<string> {
  const place = placeOf(own);
  const listed = await cli.text(
    place,
    '--literal-pathspecs',
    'ls-tree',
    '-z',
    '--full-tree',
    '--end-of-options',
    commit,
    '--',
    file.path,
  );
  const mode = /^(100644|100755) blob [0-9a-f]+\t/.exec(listed)?.[1];
  if (mode === undefined)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'The suggested edit',
      reason: `${file.path} is no file of the branch`,
    });
  const index = join(own.gitDir, `beadsmith-index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    // As `git add` would store it: line endings, and filters such as Git LFS.
    const args = ['hash-object', '-w', `--path=${file.path}`, '--stdin'];
    const blob = await cli.run(place, { args, input: file.text, config: durable });
    await cli.run(place, { args: ['read-tree', '--end-of-options', commit], env });
    const input = `${mode} ${blob.stdout.trim()}\t${file.path}\0`;
    await cli.run(place, { args: ['update-index', '-z', '--index-info'], input, env, config: durable });
    return (await cli.run(place, { args: ['write-tree'], env, config: durable })).stdout.trim();
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
