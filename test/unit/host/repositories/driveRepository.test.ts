import assert from 'node:assert/strict';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotificationClaims, watchBranches } from '../../../../src/host/repositories/driveRepository.ts';
import { tempFolder } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('NotificationClaims', () => {
  let folder: ReturnType<typeof tempFolder>;
  beforeEach(() => (folder = tempFolder('claims')));
  afterEach(() => folder.remove());

  it('give a notification to one of all windows, and to none again after a reload', async () => {
    const windows = [1, 2, 3].map(() => new NotificationClaims(folder.path));
    const told = await Promise.all(windows.map((window) => window.claim('SAMPL-1 4 needsYou')));
    assert.equal(told.filter(Boolean).length, 1);
    assert.equal(await new NotificationClaims(folder.path).claim('SAMPL-1 4 needsYou'), false);
    assert.equal(await windows[0]?.claim('SAMPL-1 5 needsYou'), true);
  });

  it('tell rather than keep quiet where nothing can be written', async () => {
    writeFileSync(join(folder.path, 'notices'), 'a file where a folder should be');
    assert.equal(await new NotificationClaims(folder.path).claim('any'), true);
  });

  it('forget what is old', async () => {
    const claims = new NotificationClaims(folder.path);
    await claims.claim('old');
    const [name = ''] = readdirSync(join(folder.path, 'notices'));
    const longAgo = new Date(Date.now() - 40 * 24 * 3_600_000);
    utimesSync(join(folder.path, 'notices', name), longAgo, longAgo);
    await claims.claim('new');
    await until(() => !readdirSync(join(folder.path, 'notices')).includes(name), 'the old claim is gone');
  });
});

describe('watchBranches', () => {
  const folder = tempFolders();

  for (const place of ['refs/heads', 'reftable'])
    it(`notices what git writes to ${place}, until it is disposed`, async () => {
      const commonDir = await folder();
      await mkdir(join(commonDir, place), { recursive: true });
      let calls = 0;
      const watch = watchBranches(commonDir, () => (calls += 1));
      await writeFile(join(commonDir, place, 'one'), 'x');
      await until(() => calls > 0, 'it is noticed');
      watch.dispose();
      assert.doesNotThrow(() => watch.dispose());
    });

  it('watches nothing where git keeps no branches', async () => {
    watchBranches(join(await folder(), 'gone'), () => undefined).dispose();
  });
});
