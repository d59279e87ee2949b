import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { tempFolders } from '../../support/git/tempRepository.ts';

describe('the built command line', () => {
  const makeFolder = tempFolders();

  it('starts without the files of the demo, which only the demo reads', async () => {
    const folder = await makeFolder();
    cpSync(join(root, 'dist'), folder, {
      recursive: true,
      filter: (path) => !/[\\/](?:test|webview|served)(?:[\\/]|$)|\.map$/.test(path),
    });
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'cli.js'), 'help'], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});
