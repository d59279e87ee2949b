import assert from 'node:assert/strict';
import { raced } from '../../../src/base/raced.ts';

describe('raced work', () => {
  const never = new Promise<never>(() => undefined);

  it('is left once the signal aborts, also if it has already', async () => {
    const stop = new AbortController();
    assert.equal(await raced(stop.signal, Promise.resolve(1)), 1);
    await assert.rejects(raced(stop.signal, Promise.reject(new Error('it failed'))), /it failed/);
    const waiting = raced(stop.signal, never);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(raced(stop.signal, never), /stopped/);
  });
});
