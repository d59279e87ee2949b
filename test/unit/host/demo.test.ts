import assert from 'node:assert/strict';
import { chmod, mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DemoService, goOnWithExpectedDemo } from '../../../src/host/demo/demoService.ts';
import { type DemoEntry, Demos, stateFolderOf } from '../../../src/host/demo/demos.ts';
import { OwnerFile } from '../../../src/adapters/store/sqlite/ownerFile.ts';
import { editor, ownWindow, Uri } from '../../support/fakes/fakeEditor.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

describe('a demo in a window', () => {
  const place = folderForEach('demo');
  let demos: Demos;
  let closed: (readonly string[])[];
  let entries: { readonly root: string }[];

  beforeEach(() => {
    demos = new Demos(join(place.path, 'storage'));
    closed = [];
    entries = [];
  });

  const make = (): Promise<DemoEntry> =>
    demos.make(join(place.path, 'demos'), (repository) => mkdir(repository, { recursive: true }));
  const service = (
    env: Readonly<Record<string, string | undefined>> = process.env,
    binary?: string,
  ): DemoService =>
    new DemoService({
      demos,
      usualFolder: '/usual',
      binary: () => binary,
      env,
      repositories: {
        entries: entries as never,
        without: async (roots, work) => {
          closed.push(roots);
          await work();
        },
      },
    });

  async function programs(texts: Readonly<Record<string, string>>): Promise<string> {
    const folder = join(place.path, `bin-${Object.values(texts).join('-').replaceAll(/\W/g, '')}`);
    await mkdir(folder);
    for (const [name, said] of Object.entries(texts)) {
      await writeFile(join(folder, name), `#!/bin/sh\necho ${said}\n`);
      await chmod(join(folder, name), 0o755);
    }
    return folder;
  }

  it('needs git and a recent Node, and says which of them is missing', async () => {
    const needs = (program: string) => (error: Error & { code?: string }) =>
      error.code === 'DEMO_NEEDS' && error.message.includes(program);
    const check = async (texts: Readonly<Record<string, string>>) =>
      service({ PATH: await programs(texts), HOME: place.path, XDG_CACHE_HOME: place.path }).check();
    await assert.rejects(check({ node: 'v24.0.0' }), needs('git'));
    await assert.rejects(check({ git: 'git version 2.40.0' }), needs('Node.js 20'));
    await assert.rejects(check({ git: 'git version 2.40.1', node: 'v19.9.0' }), needs('Node.js 20'));
    assert.deepEqual(await check({ git: 'git version 2.40.2', node: 'v20.0.0' }), { hasOpencode: false });
  });

  it('has a ticket, and a folder where it is usually made', async () => {
    assert.match((await service().ticket()).title, /\S/);
    assert.equal(service().usualFolder, '/usual');
  });

  it('is removed with its folder, closed in this window first, and nothing else is', async () => {
    const [one, other] = [await make(), await make()];
    entries = [{ root: one.repository }, { root: other.repository }];
    await service().remove(one);
    assert.deepEqual(closed, [[one.repository]]);
    assert.deepEqual(
      (await demos.all()).map(({ id }) => id),
      [other.id],
    );
    await service().remove({ folder: '/no/demo', repository: '/no/demo/x' });
    assert.equal(closed.length, 1);
  });

  it('is not removed while a window works on it', async () => {
    const demo = await make();
    const claim = await OwnerFile.claim(stateFolderOf(demo), { takeOver: false, onRestore: () => undefined });
    assert.ok(claim.kind === 'owned');
    try {
      await assert.rejects(service().remove(demo), { code: 'DEMO_IN_USE' });
      assert.equal((await demos.all()).length, 1);
    } finally {
      await claim.owner.release();
    }
    await service().remove(demo);
    assert.deepEqual(await demos.all(), []);
  });

  describe('that was opened to see it run', () => {
    const started = (): boolean => editor.ran.some(([command]) => command === 'beadsmith.tryDemo');

    it('continues once, in the first window that opens it', async () => {
      const demo = await make();
      ownWindow.folders = [{ uri: Uri.file(place.path) }, { uri: Uri.file(await realpath(demo.repository)) }];
      await goOnWithExpectedDemo(demos);
      assert.equal(started(), false);
      await service().expect(demo);
      await goOnWithExpectedDemo(demos);
      assert.equal(started(), true);
      assert.match(String(editor.ran[0]?.[0]), /focus$/);
      editor.ran.length = 0;
      await goOnWithExpectedDemo(demos);
      assert.deepEqual(editor.ran, []);
    });

    it('waits until its folder is trusted', async () => {
      const demo = await make();
      await service().expect(demo);
      ownWindow.folders = [{ uri: Uri.file(await realpath(demo.repository)) }];
      ownWindow.isTrusted = false;
      editor.will('leave');
      const going = goOnWithExpectedDemo(demos);
      await until(() => editor.shown.length > 0, 'trust is asked for');
      assert.deepEqual([started(), await demos.isExpected(demo)], [false, true]);
      ownWindow.trusted.emit();
      await going;
      assert.deepEqual([started(), await demos.isExpected(demo)], [true, false]);
    });
  });
});
