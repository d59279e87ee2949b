import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Repositories } from '../shared/repositories.ts';

/** Checks the published pull requests of all repositories, where this window works on their tickets. */
export function checkPullRequests({ entries }: Pick<Repositories, 'entries'>): void {
  for (const entry of entries) if (entry.kind === 'open') entry.repository.client.checkPullRequests();
}

/** Checks them when a person comes back to the window, for example from GitHub. */
export function checkPullRequestsOnFocus(repositories: Pick<Repositories, 'entries'>): Disposable {
  return window.onDidChangeWindowState(({ focused }) => {
    if (focused) checkPullRequests(repositories);
  });
}
