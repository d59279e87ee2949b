import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { watchBranches } from '../../../../src/host/repositories/driveRepository.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';
import { until } from '../../../support/until.ts';

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
