import assert from 'node:assert/strict';
import { coding } from '../../../src/phases/coding/coding.ts';
import type { Git } from '../../../src/engine/ports/ports.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';

/** What looks at each file of a worktree or a commit, however few of them a bead changes. */
const looksAtAll = ['status', 'inspect', 'checkOutScratch', 'scratchChanges', 'writeTree', 'keep', 'resetHard', 'traits'] as const;

describe('a bead in a repository of many files', () => {
  const newWorld = executionWorlds();

  it('has all of them looked at five times: before it, for its candidate, and for its proof with and without the work', async () => {
    const beads = 4;
    const world = await newWorld();
    const ids = Array.from({ length: beads }, (_, at) => `bead-${String(at + 1)}`);
    await world.begin('CODING', {
      beads: ids.map((id) => ({ id, title: id, testCommands: [`grep -q ${id} ${id}.txt`], targetFiles: [`${id}.txt`] })),
    });
    const { counts, within } = watched(world.git);
    await codeAll(world);
    assert.equal((await world.read()).status, 'RUNNING_FINAL_TEST', JSON.stringify((await world.read()).error));
    // The first bead also takes the baseline of the project's checks, where there are any.
    assert.deepEqual(counts, { inspect: 2 * beads, checkOutScratch: 2 * beads, scratchChanges: beads });
    // Which earlier beads a commit may have broken is looked for in their files alone.
    assert.deepEqual(within, [['bead-1.txt'], ['bead-1.txt', 'bead-2.txt'], ['bead-1.txt', 'bead-2.txt', 'bead-3.txt']]);
  });
});

async function codeAll(world: ExecutionWorld): Promise<void> {
  world.answers({
    coding: ({ whole }) => {
      const id = /"id": "(bead-\d+)"/.exec(whole)?.[1] ?? '';
      world.write(`${id}.txt`, `${id}\n`);
      return report(id);
    },
  });
  await world.drive({ coding });
}

/** Counts what is called of `looksAtAll`, and notes the files in which words are looked for. */
function watched(git: Git): { readonly counts: Record<string, number>; readonly within: (readonly string[] | undefined)[] } {
  const counts: Record<string, number> = {};
  const within: (readonly string[] | undefined)[] = [];
  for (const name of looksAtAll) {
    const real = git[name].bind(git) as (...args: unknown[]) => unknown;
    Object.assign(git, {
      [name]: (...args: unknown[]) => {
        counts[name] = (counts[name] ?? 0) + 1;
        return real(...args);
      },
    });
  }
  const filesNaming = git.filesNaming.bind(git);
  git.filesNaming = (commit, words, files) => {
    within.push(files?.toSorted());
    return filesNaming(commit, words, files);
  };
  return { counts, within };
}
