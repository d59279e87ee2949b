import { join } from 'node:path';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import type { GitAdapterOptions } from '../../../src/adapters/git/gitAdapter.ts';
import { reasonOf } from '../../../src/domain/forge/forgeReasons.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import type { ErrorCode } from '../../../src/domain/core/errors.ts';
import type { TempRepository } from './tempRepository.ts';

/** Free of the machine's own configuration. */
export function gitOf(repository: TempRepository, options: Partial<GitAdapterOptions> = {}): GitAdapter {
  const environment = { PATH: process.env['PATH'], HOME: join(repository.root, '..') };
  return new GitAdapter({ folder: repository.root, environment, lockPatienceMs: 15_000, ...options });
}

export async function worktreeOf(
  repository: TempRepository,
  git: GitAdapter,
  ticket = 'ABC-1',
): Promise<string> {
  const commit = await repository.git('rev-parse', 'HEAD');
  return (await git.addWorktree({ ticket, branch: `ticket/${ticket}`, commit })).path;
}

/** As an agent would run it. */
export function asAgent(
  repository: TempRepository,
  worktree: string,
): (...args: readonly string[]) => Promise<string> {
  return (...args) => repository.git('-C', worktree, ...args);
}

/** For `assert.rejects`. */
export function withCode(code: ErrorCode): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof BeadsmithError) || error.code !== code) throw error;
    // What a person reads is translated by its row.
    return code !== 'MERGE_REFUSED' || reasonOf(error.args) !== undefined;
  };
}
