import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coding } from '../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../support/engine/executionWorld.ts';
import { until } from '../../support/until.ts';

/** By path: mode and content, without what the engine writes for people. */
async function treeOf(world: ExecutionWorld): Promise<Readonly<Record<string, string>>> {
  const listed = await world.repository.git(
    '-C',
    world.worktree,
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
  );
  const files = [...new Set(listed.split('\0'))]
    .filter((path) => path !== '' && !path.startsWith('.ticket/'))
    .sort();
  const found = files.flatMap((path): readonly (readonly [string, string])[] => {
    const file = join(world.worktree, path);
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat ? [[path, `${(stat.mode & 0o777).toString(8)} ${readFileSync(file, 'utf8')}`]] : [];
  });
  return Object.fromEntries(found);
}

describe('taking an iteration back', () => {
  const newWorld = executionWorlds();

  it('AT-35: gives the tree from before iteration n, whichever n, and touches no edit of the person', async () => {
    const world = await newWorld.in('CODING', {
      limits: { maxIterations: 3, maxContinuations: 0 },
      files: { 'kept.txt': 'kept\n', 'run.sh': 'true\n', 'gone.txt': 'still here\n' },
    });
    const checkout = (path: string): string => join(world.repository.root, path);
    writeFileSync(checkout('kept.txt'), 'being edited\n');
    writeFileSync(checkout('new.txt'), 'mine\n');
    const inCheckout = async (): Promise<readonly string[]> => [
      await world.repository.git('status', '--porcelain'),
      await world.repository.git('rev-parse', 'HEAD'),
      ...['kept.txt', 'new.txt'].map((path) => readFileSync(checkout(path), 'utf8')),
    ];
    const before = await inCheckout();
    const paths = ['kept.txt', 'gone.txt', 'run.sh', 'half.txt', 'greet.txt'];
    world.agent.touched = async () => ({ since: Date.now() - 60_000, paths, spans: [] });

    const starts: Readonly<Record<string, string>>[] = [];
    const spoil = (): void => {
      world.write('kept.txt', 'spoiled\n');
      world.write('half.txt', 'half\n');
      chmodSync(join(world.worktree, 'run.sh'), 0o755);
      rmSync(join(world.worktree, 'gone.txt'));
    };
    world.answers({
      coding: async () => {
        starts.push(await treeOf(world));
        spoil();
        // While the second iteration works.
        if (starts.length === 2) world.write('README.md', '# Mine\n');
        return report('greet');
      },
      'coding-note': 'It spoiled everything.',
    });
    const driving = world.drive({ coding });
    await commitEdits(world);
    await driving;
    assert.equal((await world.read()).error?.code, 'BEAD_RETRY_BUDGET_EXHAUSTED');
    const [first = {}, second, third] = starts;
    const edited = { ...first, 'README.md': (first['README.md'] ?? '').replace(/ [^]*/, ' # Mine\n') };
    assert.deepEqual(
      [first['kept.txt'], first['half.txt'], first['run.sh']],
      ['644 kept\n', undefined, '644 true\n'],
    );
    assert.deepEqual(second, first, 'before iteration 2');
    assert.deepEqual(third, edited, 'before iteration 3: with the edit, which the person committed');
    assert.deepEqual(await treeOf(world), edited, 'after the last one');
    for (const iteration of [1, 2, 3])
      assert.equal(
        await world.repository.git('show', `refs/beadsmith/TST-1/greet/${String(iteration)}:kept.txt`),
        'spoiled',
      );

    world.write('notes.txt', 'mine, too\n');
    world.answers({
      coding: async () => {
        starts.push(await treeOf(world));
        world.write('greet.txt', 'hello\n');
        return report('greet');
      },
    });
    await world.post('retry', { note: '' });
    const again = world.drive({ coding });
    await commitEdits(world);
    await again;
    await world.isIn('RUNNING_FINAL_TEST');
    assert.deepEqual(
      starts[3],
      { ...edited, 'notes.txt': '644 mine, too\n' },
      'before the iteration that follows',
    );
    assert.deepEqual(await world.subjects(), [
      'bead(greet): Greet by name',
      'edit: notes.txt',
      'edit: README.md',
    ]);
    assert.deepEqual(await inCheckout(), before, 'the person’s checkout is as it was');
  });
});

async function commitEdits(world: ExecutionWorld): Promise<void> {
  const { id } = await world.request();
  await world.post('question_reply', { request: id, answers: [['Commit']] });
  await until(async () => (await world.read()).hold?.request?.id !== id, 'the answer is taken');
}
