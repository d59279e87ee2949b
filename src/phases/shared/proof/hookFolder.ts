import type { TicketFiles } from '../../../engine/ports/ports.ts';
import { shellQuote } from '../worktree/runtime.ts';

const folder = '.ticket/runtime/hooks';
const paths = { prepare: `${folder}/prepare`, wrapper: `${folder}/run`, git: `${folder}/git` } as const;

/**
 * `prepare`: the command that makes the folder. `wrapper`: the absolute path of the wrapper for commands
 * whose git works in it.
 */
export interface HookFolder {
  readonly prepare: string;
  readonly wrapper: string;
}

/**
 * Writes what gives hooks a git folder of their own beside the commit that they judge
 * (docs/decisions/081-git-hooks.md): HEAD and the staged files are those of a commit about to be made, refs
 * are copies, and objects are read where they are. The repository's own folder can't be written from a
 * sandbox, and what a hook writes into git is nobody's business later. `tree`: the absolute path of the
 * scratch worktree. `wrapper`: of its commands.
 */
export async function writeHookFolder(
  files: Pick<TicketFiles, 'write'>,
  {
    tree,
    wrapper,
    start,
    commit,
  }: { readonly tree: string; readonly wrapper: string; readonly start: string; readonly commit: string },
): Promise<HookFolder> {
  const git = `${tree}/${paths.git}`;
  await files.write(tree, paths.prepare, prepareText(git, start, commit), { executable: true });
  const lines = [
    `GIT_DIR=${shellQuote(git)} GIT_WORK_TREE=${shellQuote(tree)}`,
    'export GIT_DIR GIT_WORK_TREE',
    `exec ${shellQuote(wrapper)} "$@"`,
  ];
  await files.write(tree, paths.wrapper, ['#!/bin/sh', ...lines, ''].join('\n'), { executable: true });
  return { prepare: paths.prepare, wrapper: `${tree}/${paths.wrapper}` };
}

/**
 * The script that makes the folder. The last setting counts: the repository's configuration holds for hooks,
 * except for the places named here.
 */
function prepareText(git: string, start: string, commit: string): string {
  return `#!/bin/sh
# Written by Beadsmith before hooks run; changes made here are lost.
set -e
own=${shellQuote(git)}
common=$(git rev-parse --path-format=absolute --git-common-dir)
hooks=$(git rev-parse --path-format=absolute --git-path hooks)
format=$(git rev-parse --show-object-format)
rm -rf "$own"
git init --quiet --bare --template= --object-format="$format" "$own"
mkdir -p "$own/info" "$own/objects/info"
printf '%s\\n' "$common/objects" > "$own/objects/info/alternates"
git for-each-ref --format='%(objectname) %(refname)' refs/heads refs/remotes refs/tags > "$own/packed-refs"
if [ -f "$common/info/exclude" ]; then cp "$common/info/exclude" "$own/info/exclude"; fi
git config --file "$own/config" include.path "$common/config"
git config --file "$own/config" core.bare false
git config --file "$own/config" core.hooksPath "$hooks"
GIT_DIR=$own GIT_WORK_TREE=$PWD
export GIT_DIR GIT_WORK_TREE
git update-ref --no-deref HEAD ${start}
git read-tree ${commit}
git update-index --quiet --refresh > /dev/null || true
`;
}
