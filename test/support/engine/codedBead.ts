import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { oneTry, type ExecutionWorld, report } from './executionWorld.ts';

/** Without retries. */
export async function codedBead(
  world: ExecutionWorld,
  files: Readonly<Record<string, string>>,
  bead: { readonly testCommands: string[]; readonly targetFiles?: string[] },
): Promise<ExecutionWorld> {
  await world.begin('CODING', { beads: [bead], limits: oneTry });
  world.answers({
    coding: () => {
      for (const [path, content] of Object.entries(files)) {
        mkdirSync(join(world.worktree, path, '..'), { recursive: true });
        world.write(path, content);
      }
      return report('greet');
    },
  });
  await world.drive({ coding });
  return world;
}
