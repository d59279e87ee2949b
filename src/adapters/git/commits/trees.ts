import type { GraftWork } from '../../../engine/ports/ports.ts';
import type { Commits } from './commits.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { durable } from '../cli/revisions.ts';
import { placeOf, withIndexIn } from '../worktrees/worktreeIndex.ts';
import type { OwnWorktree } from '../worktrees/worktreePlaces.ts';

/**
 * A commit of `start` in which `paths` are as `from` has them, and gone where it doesn't; `texts` replace
 * whole files. No ref, index or worktree changes. Its tree is the same for the same work; the commit isn't.
 */
export async function graft(
  { cli, commits }: { readonly cli: GitCli; readonly commits: Commits },
  place: Place,
  { start, from, paths, texts, folder }: GraftWork & { readonly folder: string },
): Promise<{ readonly commit: string; readonly tree: string }> {
  return withIndexIn(folder, async (index) => {
    const env = { GIT_INDEX_FILE: index };
    await cli.run(place, { args: ['read-tree', '--end-of-options', start], env });
    const form = ['-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--end-of-options'];
    const raw = await cli.run(place, { args: ['diff-tree', ...form, start, from] });
    const wanted = new Set(paths);
    const entries = parseRaw(raw.stdout).filter(({ path }) => wanted.has(path));
    const lines = entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`);
    for (const [path, input] of Object.entries(texts)) {
      const args = ['hash-object', '-w', '--no-filters', '--stdin'];
      const { stdout } = await cli.run(place, { args, input });
      lines.push(`100644 ${stdout.trim()}\t${path}\0`);
    }
    if (lines.length > 0)
      await cli.run(place, { args: ['update-index', '-z', '--index-info'], input: lines.join(''), env });
    const tree = (await cli.run(place, { args: ['write-tree'], env })).stdout.trim();
    const message = 'Tests without the work that they are for';
    return { tree, commit: await commits.make(place, { tree, parents: [start], message, internal: true }) };
  });
}

/** Parses `git diff-tree -r -z --raw --no-renames`: the second tree's entries. The mode of none is 0. */
function parseRaw(
  output: string,
): readonly { readonly mode: string; readonly blob: string; readonly path: string }[] {
  const fields = output.split('\0');
  return fields.flatMap((field, at) => {
    const [, mode = '', blob = ''] = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/.exec(field) ?? [];
    return mode === '' ? [] : [{ mode: mode === '000000' ? '0' : mode, blob, path: fields[at + 1] ?? '' }];
  });
}

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
  const list = ['--literal-pathspecs', 'ls-tree', '-z', '--full-tree', '--end-of-options'];
  const listed = await cli.text(place, ...list, commit, '--', file.path);
  const mode = /^(100644|100755) blob [0-9a-f]+\t/.exec(listed)?.[1];
  if (mode === undefined) {
    const reason = `${file.path} is no file of the branch`;
    throw new BeadsmithError('INVALID_INPUT', { what: 'The suggested edit', reason });
  }
  return withIndexIn(own.gitDir, async (index) => {
    const env = { GIT_INDEX_FILE: index };
    // As `git add` would store it: line endings, and filters such as Git LFS.
    const args = ['hash-object', '-w', `--path=${file.path}`, '--stdin'];
    const blob = await cli.run(place, { args, input: file.text, config: durable });
    await cli.run(place, { args: ['read-tree', '--end-of-options', commit], env });
    const input = `${mode} ${blob.stdout.trim()}\t${file.path}\0`;
    await cli.run(place, { args: ['update-index', '-z', '--index-info'], input, env, config: durable });
    return (await cli.run(place, { args: ['write-tree'], env, config: durable })).stdout.trim();
  });
}
