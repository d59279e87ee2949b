import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { GitAdapter } from '../adapters/git/gitAdapter.ts';
import { type BackupInfo, backupsIn, type Restored, restoreIn } from '../adapters/store/file/maintenance.ts';
import { ticketOfBranch } from '../domain/core/ids.ts';
import { locations } from './locations.ts';

export type { BackupInfo, Restored } from '../adapters/store/file/maintenance.ts';

/** The backups of a repository's tickets (docs/decisions/126-backups-and-restoring.md). */
export interface Backups {
  list(): Promise<readonly BackupInfo[]>;
  /** Replaces the database. Throws, without a change, DRIVEN_ELSEWHERE, BACKUP_UNUSABLE. */
  restore(name: string): Promise<Restored>;
}

/** Needs no usable database. Throws NOT_A_REPOSITORY and other git errors. */
export async function openBackups(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Backups> {
  const git = new GitAdapter({ folder, environment: env });
  const { commonDir } = await git.repository();
  const state = join(await realpath(commonDir), 'beadsmith');
  return {
    list: () => backupsIn(locations.storeWorker, state),
    restore: async (name) => {
      const restored = await restoreIn(locations.storeWorker, state, name, await ticketTips(git));
      // Its ticket is paused, so the branch hasn't moved.
      for (const { ref, commit } of restored.lost) await git.updateRef(ref, commit);
      return restored;
    },
  };
}

async function ticketTips(git: GitAdapter): Promise<Readonly<Record<string, string>>> {
  const tips: Record<string, string> = {};
  for (const branch of await git.branches()) {
    const ticket = ticketOfBranch(branch);
    const commit = ticket === undefined ? undefined : await git.resolve(`refs/heads/${branch}`);
    if (ticket !== undefined && commit !== undefined) tips[ticket] = commit;
  }
  return tips;
}
