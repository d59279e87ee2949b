import assert from 'node:assert/strict';
import { SqliteDatabase } from '../../../../src/adapters/store/sqlite/database.ts';
import { OtherProcesses } from '../../../../src/adapters/store/otherProcesses.ts';
import { tempFolder } from '../../../support/tempFolder.ts';
import { until } from '../../../support/until.ts';

describe('what other processes commit', () => {
  it('is noticed, once, and one’s own commits are not', async () => {
    const folder = tempFolder('others');
    const [own, other] = [new SqliteDatabase(folder.path), new SqliteDatabase(folder.path)];
    own.exec('CREATE TABLE t (x)');
    let changes = 0;
    const watching = new OtherProcesses(own, () => (changes += 1));
    try {
      for (const round of [1, 2]) {
        own.exec('INSERT INTO t VALUES (1)');
        other.exec('INSERT INTO t VALUES (2)');
        await until(() => changes >= round, 'it is noticed');
        assert.equal(changes, round);
      }
    } finally {
      watching.dispose();
      own.close();
      other.close();
      folder.remove();
    }
  });
});
