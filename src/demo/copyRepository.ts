import { runGit } from './writeSampleRepository.ts';

/**
 * Copies a branch of a repository into a missing folder, as a repository of its own that borrows the objects
 * of the first one: nothing that is done there reaches it. No hooks and no template come along. `branch`:
 * default is the one that is checked out; one that is only at `origin` is copied as it was fetched last.
 * Throws GIT_FAILED.
 */
export async function copyRepository(root: string, folder: string, branch: string | null): Promise<void> {
  const fetched = branch === null ? undefined : await onlyFetched(root, branch);
  // A clone has the branches of a repository, and none that it fetched itself.
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
  // In the copy's own configuration, so that commits work on a machine where nobody told git who they are.
  for (const [name, value] of Object.entries({
    'user.name': 'Rehearsal',
    'user.email': 'rehearsal@sample.invalid',
    'commit.gpgsign': 'false',
  }))
    await runGit('git', folder, ['config', name, value]);
  await runGit('git', folder, ['remote', 'remove', 'origin']);
  if (branch !== null && fetched !== undefined) await checkOutAlone(folder, branch, fetched);
}

/**
 * Makes a branch of a copy, checks it out, and removes the others, so that nothing is taken for the branch
 * that is meant but this one.
 */
async function checkOutAlone(folder: string, branch: string, commit: string): Promise<void> {
  await runGit('git', folder, ['checkout', '--quiet', '--no-track', '-B', branch, commit]);
  const heads = (
    await runGit('git', folder, ['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'])
  ).split('\n');
  const others = heads.filter((head) => head !== '' && head !== branch);
  if (others.length > 0)
    await runGit('git', folder, ['branch', '--quiet', '--delete', '--force', '--', ...others]);
}

/** The commit of a branch that is only at `origin`; undefined for one that is here, or nowhere. */
async function onlyFetched(root: string, branch: string): Promise<string | undefined> {
  const refs = [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  const found = await runGit('git', root, ['for-each-ref', '--format=%(refname) %(objectname)', ...refs]);
  // A pattern also finds what lies below it.
  const [here, there] = refs.map((ref) => found.split('\n').find((line) => line.startsWith(`${ref} `)));
  return here === undefined ? there?.split(' ')[1] : undefined;
}
