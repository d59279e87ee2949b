import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';
import { Demos, stateFolderOf, type DemoEntry } from '../../../src/host/demo/demos.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { portOf } from '../../../src/host/demo/driveDemo.ts';

describe('Demos', () => {
  const place = folderForEach('demos');
  let demos: Demos;
  let parent: string;

  beforeEach(() => {
    parent = join(place.path, 'somewhere');
    demos = new Demos(join(place.path, 'storage'));
  });

  const empty = (repository: string): Promise<void> =>
    Promise.resolve(void mkdirSync(repository, { recursive: true }));
  const make = (): Promise<DemoEntry> => demos.make(parent, empty);

  it('are a git repository with commits, in a folder that was not there before', async () => {
    mkdirSync(join(parent, 'beadsmith-demo'), { recursive: true });
    writeFileSync(join(parent, 'beadsmith-demo', 'mine.txt'), 'mine');
    const { folder, repository } = await demos.make(parent, writeSampleRepository);
    assert.equal(folder, join(parent, 'beadsmith-demo-2'));
    assert.equal(
      execFileSync('git', ['-C', repository, 'rev-list', '--count', 'main'], { encoding: 'utf8' }).trim(),
      '3',
    );
    assert.equal(execFileSync('git', ['-C', repository, 'status', '--porcelain'], { encoding: 'utf8' }), '');
    assert.deepEqual(readdirSync(join(parent, 'beadsmith-demo')), ['mine.txt']);
  });

  it('are known by their repository and by the worktrees of it, in another window, too', async () => {
    const made = await demos.make(parent, writeSampleRepository);
    const worktree = join(made.folder, 'stockroom.worktrees', 'STOCK-1');
    execFileSync('git', [
      '-C',
      made.repository,
      'worktree',
      'add',
      '--quiet',
      '-b',
      'ticket/STOCK-1',
      worktree,
    ]);
    const later = new Demos(join(place.path, 'storage'));
    assert.deepEqual(
      [(await later.of(made.repository))?.id, (await later.of(worktree))?.id],
      [made.id, made.id],
    );
    assert.equal(await later.of(parent), undefined);
  });

  it('are none that a repository says of itself', async () => {
    const made = await make();
    const hostile = { repository: join(place.path, 'cloned'), folder: place.path };
    mkdirSync(stateFolderOf(hostile), { recursive: true });
    writeFileSync(join(stateFolderOf(hostile), 'demo.json'), JSON.stringify({ id: made.id }));
    assert.equal(await demos.of(hostile.repository), undefined);
  });

  it('are none any more when something else lies in their place', async () => {
    const made = await make();
    renameSync(made.folder, `${made.folder}-away`);
    assert.deepEqual(await demos.all(), []);
    mkdirSync(stateFolderOf(made), { recursive: true });
    assert.deepEqual(await demos.all(), []);
  });

  it('leave nothing when they could not be written', async () => {
    await assert.rejects(
      demos.make(parent, async (repository) => {
        await empty(repository);
        throw new Error('the disk is full');
      }),
      /the disk is full/,
    );
    assert.deepEqual([readdirSync(parent), readdirSync(join(place.path, 'storage'))], [[], []]);
  });

  it('are gone on with once, by the first that asks', async () => {
    const made = await make();
    assert.deepEqual([await demos.isExpected(made), await demos.takeExpected(made)], [false, false]);
    await demos.expect(made);
    assert.equal(await demos.isExpected(made), true);
    assert.deepEqual(
      [await demos.takeExpected(made), await demos.takeExpected(made), await demos.isExpected(made)],
      [true, false, false],
    );
  });

  it('are removed with their folder, and nothing beside it', async () => {
    const [first, second] = [await make(), await make()];
    await demos.expect(first);
    await demos.remove(first);
    assert.deepEqual([existsSync(first.folder), existsSync(second.folder)], [false, true]);
    assert.deepEqual(await demos.all(), [second]);
    assert.deepEqual(readdirSync(join(place.path, 'storage')), [`${second.id}.json`]);
  });
});

describe('the scripted model of a demo', () => {
  it('has the same port for the same demo, another for another, outside of those that systems hand out', () => {
    const ids = [
      '0f6a1c1e-0000-4000-8000-000000000000',
      'ffffffff-0000-4000-8000-000000000000',
      '00000000-0000-4000-8000-000000000000',
    ];
    const ports = ids.map((id) => portOf({ id }));
    assert.deepEqual(
      ports,
      ids.map((id) => portOf({ id })),
    );
    assert.equal(new Set(ports).size, 3);
    for (const port of ports) assert.ok(port >= 20_000 && port < 32_000, String(port));
  });
});
