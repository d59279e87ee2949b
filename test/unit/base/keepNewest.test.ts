import assert from 'node:assert/strict';
import { keepNewest } from '../../../src/base/keepNewest.ts';

describe('what is kept of more and more', () => {
  it('is the newest, as many as there is room for', () => {
    const known = new Set<number>();
    for (let at = 0; at < 10; at++) keepNewest(known.add(at), 3);
    assert.deepEqual([...known], [7, 8, 9]);
  });

  it('begins with what was added again, not with what was added first', () => {
    const known = new Map([
      ['a', 1],
      ['b', 2],
    ]);
    known.delete('a');
    keepNewest(known.set('a', 3).set('c', 4), 2);
    assert.deepEqual([...known.keys()], ['a', 'c']);
  });
});
