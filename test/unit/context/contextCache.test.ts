import assert from 'node:assert/strict';
import { ContextCache } from '../../../src/context/contextCache.ts';

describe('ContextCache', () => {
  const entry = { content: 'text', timestamp: 1_000, tokens: 7 };

  it('gives an entry back for exactly its content, for five minutes', () => {
    const cache = new ContextCache();
    cache.set('A-1', 'prd', entry);
    assert.equal(cache.get('A-1', 'prd', 'text', 300_999)?.tokens, 7);
    assert.equal(cache.get('A-1', 'prd', 'text', 301_000), undefined);
    assert.equal(cache.get('A-1', 'prd', 'other', 1_000), undefined);
    assert.equal(cache.get('A-1', 'interview', 'text', 1_000), undefined);
    assert.equal(cache.get('A-2', 'prd', 'text', 1_000), undefined);
  });

  it('trusts no entry from the future, so that a clock set back costs only time', () => {
    const cache = new ContextCache();
    cache.set('A-1', 'prd', entry);
    assert.equal(cache.get('A-1', 'prd', 'text', 999), undefined);
  });

  it('forgets one ticket and keeps the others', () => {
    const cache = new ContextCache();
    cache.set('A-1', 'prd', entry);
    cache.set('A-1', 'interview', entry);
    cache.set('A-12', 'prd', entry);
    cache.clearContextCache('A-1');
    assert.equal(cache.get('A-1', 'prd', 'text', 1_000), undefined);
    assert.equal(cache.get('A-12', 'prd', 'text', 1_000)?.tokens, 7);
    assert.equal(cache.size, 1);
  });

  it('does not grow for ever: the oldest entry gives way', () => {
    const cache = new ContextCache();
    for (let number = 0; number < 300; number++) cache.set(`A-${number}`, 'prd', entry);
    assert.equal(cache.size, 200);
    assert.equal(cache.get('A-99', 'prd', 'text', 1_000), undefined);
    assert.equal(cache.get('A-100', 'prd', 'text', 1_000)?.tokens, 7);
  });
});
