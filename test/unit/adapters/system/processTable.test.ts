import assert from 'node:assert/strict';
import { psStart } from '../../../../src/adapters/system/processTable.ts';

describe('a process', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  it('is the same for who asks from another time zone', async () => {
    process.env['TZ'] = 'Asia/Tokyo';
    const there = await psStart(process.pid);
    process.env['TZ'] = 'America/Lima';
    assert.equal(await psStart(process.pid), there);
    assert.ok(there);
  });

  it('that is not there has no start', async () => {
    assert.equal(await psStart(2 ** 22 + 1), undefined);
  });
});
