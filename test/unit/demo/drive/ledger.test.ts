import assert from 'node:assert/strict';
import { ledgerCheck } from '../../../../src/demo/drive/facts.ts';

describe('the check of the demo’s ledger', () => {
  const requests = [
    { tokens: { prompt: 1_000, completion: 50, cached: 0 } },
    { tokens: { prompt: 1_200, completion: 10, cached: 1_000 } },
    { tokens: { prompt: 0, completion: 0, cached: 0 } },
  ];

  it('holds where both counted the same', () => {
    const { ok, detail } = ledgerCheck('STOCK-1', { tokens: 2_260, cacheRead: 1_000 }, requests);
    assert.deepEqual([ok, detail], [true, '2260 tokens, 1000 of them from a cache']);
  });

  it('fails where an answer is booked twice, a token is missing, or nothing is known', () => {
    for (const booked of [
      { tokens: 3_470, cacheRead: 2_000 },
      { tokens: 2_259, cacheRead: 1_000 },
      { tokens: 2_260, cacheRead: 999 },
      undefined,
    ])
      assert.equal(ledgerCheck('STOCK-1', booked, requests).ok, false);
    assert.equal(ledgerCheck('STOCK-1', { tokens: 0, cacheRead: 0 }, []).ok, false);
  });

  it('says what each of them counted', () => {
    const { detail } = ledgerCheck('STOCK-1', undefined, requests);
    assert.equal(detail, 'the ledger: nothing; the model: 2260 tokens, 1000 of them from a cache');
  });
});
