import { runGit } from './writeSampleRepository.ts';

/**
 * Copies a branch of a repository into a missing folder, as a repository of its own that borrows the objects of the first one: nothing that is done there
 * reaches it. No hooks and no template come along. `branch`: default is the one that is checked out. Throws GIT_FAILED.
 */
export async function copyRepository(root: string, folder: string, branch: string | null): Promise<void> {
  const wanted = branch === null ? [] : ['--branch', branch];
  await runGit('git', root, ['clone', '--quiet', '--shared', '--no-tags', '--template=', ...wanted, '--', root, folder]);
  // In the copy's own configuration, so that commits work on a machine where nobody told git who they are.
  for (const [name, value] of Object.entries({
    'user.name': 'Rehearsal',
    'user.email': 'rehearsal@sample.invalid',
    'commit.gpgsign': 'false',
  }))
    await runGit('git', folder, ['config', name, value]);
  await runGit('git', folder, ['remote', 'remove', 'origin']);
}
