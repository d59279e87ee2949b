import type { Repositories } from '../shared/repositories.ts';

/** Checks the published pull requests of all repositories, where this window works on their tickets. */
export function checkPullRequests({ entries }: Pick<Repositories, 'entries'>): void {
  for (const entry of entries) if (entry.kind === 'open') entry.repository.client.checkPullRequests();
}
