import type { Backups } from '../../app/backups.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { BackupKeeper, RestoreResult } from '../../protocol/upkeep.ts';
import { environment } from '../settings/environment.ts';
import type { WorkspaceRepositories } from './workspaceRepositories.ts';

/**
 * Backups of the workspace's repositories. One is restored while its repository is closed here; what reads
 * them is loaded when it is needed.
 */
export function backupKeeper(repositories: Pick<WorkspaceRepositories, 'without'>): BackupKeeper {
  const of = async (root: string): Promise<Backups> =>
    (await import('./driveRepository.ts')).openBackups(root, environment());
  return {
    list: async (root) => (await of(root)).list(),
    restore: async (root, name) => {
      const backups = await of(root);
      let restored: RestoreResult | undefined;
      const restore = async (): Promise<void> => {
        restored = await backups.restore(name);
      };
      await repositories.without([root], restore);
      if (restored === undefined)
        throw new BeadsmithError('UNEXPECTED', { reason: 'the window is being closed' });
      return restored;
    },
  };
}
