import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraftWork } from '../../../engine/ports/ports.ts';
import type { Commits } from './commits.ts';
import type { GitCli, Place } from '../cli/gitCli.ts';

/**
 * A commit of `start` in which `paths` are as `from` has them, and gone where it doesn't; `texts` replace
 * whole files. No ref, index or worktree changes. Its tree is the same for the same work; the commit isn't.
 */
export async function graft(
  { cli, commits }: { readonly cli: GitCli; readonly commits: Commits },
  place: Place,
  { start, from, paths, texts, folder }: GraftWork & { readonly folder: string },
): Promise<{ readonly commit: string; readonly tree: string }> {
  const index = join(folder, `beadsmith-index-${randomUUID()}`);
  const env = { GIT_INDEX_FILE: index };
  try {
    await cli.run(place, { args: ['read-tree', '--end-of-options', start], env });
    const raw = [
      'diff-tree',
      '-r',
      '-z',
      '--raw',
      '--no-renames',
      '--no-abbrev',
      '--end-of-options',
      start,
      from,
    ];
    const wanted = new Set(paths);
    const entries = parseRaw((await cli.run(place, { args: raw })).stdout).filter(({ path }) =>
      wanted.has(path),
    );
    const lines = entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`);
    for (const [path, text] of Object.entries(texts)) {
      const { stdout } = await cli.run(place, {
        args: ['hash-object', '-w', '--no-filters', '--stdin'],
        input: text,
      });
      lines.push(`100644 ${stdout.trim()}\t${path}\0`);
    }
    if (lines.length > 0)
      await cli.run(place, { args: ['update-index', '-z', '--index-info'], input: lines.join(''), env });
    const tree = (await cli.run(place, { args: ['write-tree'], env })).stdout.trim();
    return {
      tree,
      commit: await commits.make(place, {
        tree,
        parents: [start],
        message: 'Tests without the work that they are for',
        internal: true,
      }),
    };
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

/**
 * Parses `git diff-tree -r -z --raw --no-renames`: what a path is in the second tree. The mode of one that is
 * gone is 0.
 */
function parseRaw(
  output: string,
): readonly { readonly mode: string; readonly blob: string; readonly path: string }[] {
  const fields = output.split('\0');
  return fields.flatMap((field, at) => {
    const [, mode = '', blob = ''] = /^:\d{6} (\d{6}) [0-9a-f]+ ([0-9a-f]+) [A-Z]\d*$/.exec(field) ?? [];
    return mode === '' ? [] : [{ mode: mode === '000000' ? '0' : mode, blob, path: fields[at + 1] ?? '' }];
  });
}
