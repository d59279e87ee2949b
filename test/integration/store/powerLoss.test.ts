import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteDatabase } from '../../../src/adapters/store/sqlite/database.ts';
import { tempFolder } from '../../support/tempFolder.ts';

const here = join(import.meta.dirname, 'powerLoss');
const count = 12;

describe('After a power loss', () => {
  it('the disk has every commit that was confirmed, and a database that is whole', function () {
    if (process.platform !== 'linux') {
      console.log('  left out: what reaches the disk is watched with LD_PRELOAD, which this system has not');
      this.skip();
    }
    const folder = tempFolder('power');
    try {
      const [state = '', disk = '', copies = ''] = ['state', 'disk', 'copies'].map((name) =>
        join(folder.path, name),
      );
      for (const path of [state, disk, copies]) mkdirSync(path);
      const library = join(folder.path, 'disk.so');
      execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(here, 'disk.c'), '-ldl']);
      execFileSync(process.execPath, [join(here, 'writer.ts'), state, disk, copies, String(count)], {
        env: { ...process.env, LD_PRELOAD: library, TEST_DISK: disk },
      });
      for (let row = 1; row <= count; row++) {
        const database = new SqliteDatabase(join(copies, String(row)));
        assert.deepEqual(
          { ...(database.get('SELECT count(*) AS rows FROM words') as object) },
          { rows: row },
        );
        assert.deepEqual(
          { ...(database.get('PRAGMA integrity_check') as object) },
          { integrity_check: 'ok' },
        );
        database.close();
      }
    } finally {
      folder.remove();
    }
  });
});
