import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../../../src/adapters/store/file/openDatabase.ts';
import { pathTooLong, socketPathBytes } from '../../../../src/adapters/system/files.ts';
import { socketFolder } from '../../../../src/adapters/system/relay/registryRelay.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('a path that is too long', () => {
  const makeFolder = tempFolders();

  it('is told with its length in bytes', () => {
    assert.equal(pathTooLong('/short', 6), undefined);
    assert.match(
      pathTooLong('/é', 2)?.message ?? '',
      /^The path \/é is too long: 3 bytes; the maximum is 2\.$/,
    );
  });

  it('is the reason why there is no database', async () => {
    const folder = [await makeFolder(), ...Array.from({ length: 3 }, () => 'x'.repeat(200))].reduce((a, b) =>
      join(a, b),
    );
    await mkdir(folder, { recursive: true });
    const opened = openDatabase({ folder, installation: 'a', drive: true, adopt: false }, 0);
    assert.equal(opened.mode === 'readOnly' && opened.reason.code, 'PATH_TOO_LONG');
  });

  it('is the reason why there is no socket', async () => {
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = join(await makeFolder(), 'x'.repeat(socketPathBytes));
    try {
      await assert.rejects(socketFolder(), { code: 'PATH_TOO_LONG' });
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });
});
