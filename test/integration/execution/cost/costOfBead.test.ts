import assert from 'node:assert/strict';
import { coding } from '../../../../src/phases/coding/coding.ts';
import type { Git } from '../../../../src/engine/ports/ports.ts';
import type { Store, Transaction } from '../../../../src/engine/ports/storePort.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';

/** Whatever few files a bead changes. */
const visitsAll = [
  'status',
  'inspect',
  'checkOutScratch',
  'scratchChanges',
  'writeTree',
  'keep',
  'resetHard',
  'traits',
] as const;

/** 66.75 reads and 18.25 writes. If more are needed, look first whether something is asked twice. */
const mostReads = 84;
const mostWrites = 20;

describe('what a bead costs', () => {
  const newWorld = executionWorlds();

  it('is bounded: five visits of all files, and so many reads and writes of the database', async () => {
    const beads = 4;
    const world = await newWorld();
    const ids = Array.from({ length: beads }, (_, at) => `bead-${String(at + 1)}`);
    await world.begin('CODING', {
      beads: ids.map((id) => ({
        id,
        title: id,
        testCommands: [`grep -q ${id} ${id}.txt`],
        targetFiles: [`${id}.txt`],
      })),
    });
    const { counts, within } = watched(world.git);
    const asked = counted(world.store);
    await codeAll(world);
    const { reads, writes, methods } = { ...asked };
    await world.isIn('RUNNING_FINAL_TEST');
    // For the bead's start, its candidate, and its proof with and without the work.
    assert.deepEqual(counts, { inspect: 2 * beads, checkOutScratch: 2 * beads, scratchChanges: beads });
    // Earlier beads that a commit may have broken are looked for in its files alone.
    assert.deepEqual(within, [
      ['bead-1.txt'],
      ['bead-1.txt', 'bead-2.txt'],
      ['bead-1.txt', 'bead-2.txt', 'bead-3.txt'],
    ]);
    const each = { reads: reads / beads, writes: writes / beads };
    assert.ok(each.reads <= mostReads && each.writes <= mostWrites, JSON.stringify({ ...each, methods }));
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

/** Notes the files in which words are looked for. */
function watched(git: Git): {
  readonly counts: Record<string, number>;
  readonly within: (readonly string[] | undefined)[];
} {
  const counts: Record<string, number> = {};
  const within: (readonly string[] | undefined)[] = [];
  for (const name of visitsAll) {
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

/** A commit of nothing only checks that this process still drives. */
function counted(store: Store): { reads: number; writes: number; readonly methods: Record<string, number> } {
  const count = { reads: 0, writes: 0, methods: {} as Record<string, number> };
  for (const [name, real] of Object.entries(store) as [string, unknown][]) {
    if (typeof real !== 'function' || name === 'onDidChange' || name === 'close') continue;
    Object.assign(store, {
      [name]: (...args: unknown[]): unknown => {
        const { journal, changes = [] } = (name === 'commit' ? args[0] : { journal: [] }) as Pick<
          Transaction,
          'journal' | 'changes'
        >;
        if (name !== 'commit') count.reads += 1;
        else if (journal.length + changes.length > 0) count.writes += 1;
        count.methods[name] = (count.methods[name] ?? 0) + 1;
        return (real as (...args: unknown[]) => unknown)(...args);
      },
    });
  }
  return count;
}
