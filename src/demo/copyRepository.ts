import { introduce, runGit } from './git.ts';

/** Clones a repository, whose objects it borrows; nothing reaches `root`. `branch`: null for the checked out one. Throws GIT_FAILED. */
export async function copyRepository(root: string, folder: string, branch: string | null): Promise<void> {
  const fetched = branch === null ? undefined : await onlyFetched(root, branch);
  // A clone has no branches that the repository only fetched.
  const wanted = branch === null ? [] : fetched === undefined ? ['--branch', branch] : ['--no-checkout'];
  await runGit('git', root, [
    'clone',
    '--quiet',
    '--shared',
    '--no-tags',
    '--template=',
    ...wanted,
    '--',
    root,
    folder,
  ]);
  await introduce('git', folder, 'Rehearsal', 'rehearsal@sample.invalid');
  await runGit('git', folder, ['remote', 'remove', 'origin']);
  if (branch !== null && fetched !== undefined) await checkOutAlone(folder, branch, fetched);
}

/** All other branches go, so that none is taken for it. */
async function checkOutAlone(folder: string, branch: string, commit: string): Promise<void> {
  await runGit('git', folder, ['checkout', '--quiet', '--no-track', '-B', branch, commit]);
  const heads = (
    await runGit('git', folder, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'])
  ).split('\n');
  const others = heads.filter((head) => head !== '' && head !== branch);
  if (others.length > 0)
    await runGit('git', folder, ['branch', '--quiet', '--delete', '--force', '--', ...others]);
}

/** The commit of a branch that is only at `origin`; undefined otherwise. */
async function onlyFetched(root: string, branch: string): Promise<string | undefined> {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const found = await runGit('git', root, ['for-each-ref', '--format=%(refname) %(objectname)', ...refs]);
  // A pattern also finds what is below it.
  const [here, there] = refs.map((ref) => found.split('\n').find((line) => line.startsWith(`${ref} `)));
  return here === undefined ? there?.split(' ')[1] : undefined;
}
