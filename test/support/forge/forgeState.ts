import { type ForgeState, publishedState } from '../../../src/domain/forge/forgeLook.ts';

/** The pull request 7 of octo/sample, right after it was published. */
export function forgeState(): ForgeState {
  return publishedState({
    repository: 'github.com/octo/sample',
    number: 7,
    location: 'https://github.com/octo/sample/pull/7',
    state: 'open',
    base: 'main',
    branch: 'ticket/TST-1',
    commit: 'c'.repeat(40),
  });
}
