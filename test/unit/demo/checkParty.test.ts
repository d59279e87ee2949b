import assert from 'node:assert/strict';
import { ledgerCheck } from '../../demo/facts.ts';
import { privateLines } from '../../demo/checkParty.ts';

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

describe('the strings that only a developer’s session has', () => {
  const session = {
    told: [
      'I gave that up after hours of dead ends.\nexport const shared = "in a commit";',
      'short',
      'error: one of three tests failed',
    ],
  };

  it('are its lines that are long enough to be nobody else’s, once each', () => {
    assert.deepEqual(privateLines([session, session], ''), [
      'I gave that up after hours of dead ends.',
      'export const shared = "in a commit";',
      'error: one of three tests failed',
    ]);
  });

  it('are none that can be read in a commit or a record', () => {
    assert.deepEqual(privateLines([session], '+export const shared = "in a commit";'), [
      'I gave that up after hours of dead ends.',
      'error: one of three tests failed',
    ]);
  });
});
