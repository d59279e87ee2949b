import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';

export async function sceneOf(
  folder: string,
): Promise<{ readonly folder: string; readonly repository: string }> {
  const repository = join(folder, 'stockroom');
  mkdirSync(repository, { recursive: true });
  await writeSampleRepository(repository);
  return { folder, repository };
}

export function treeOf(repository: string, ticket: string): string {
  return execFileSync('git', ['-C', repository, 'rev-parse', `refs/heads/ticket/${ticket}^{tree}`], {
    encoding: 'utf8',
  }).trim();
}

/** Throws if the two sides differ. */
export function sameTree(one: string, other: string): void {
  if (one !== other) throw new Error(`The two sides ended with different trees: ${one} and ${other}`);
}
