import assert from 'node:assert/strict';
import {
  marksBeginnings,
  offerOf,
  Providers,
} from '../../../../../src/adapters/opencode/models/catalogue.ts';

const read = (model: unknown) =>
  Providers.parse({ providers: [{ id: 'p', models: { m: model } }] }).providers[0]?.models['m'];

describe('the catalogue of models', () => {
  it('tells the prices of tokens, and those of long prompts', () => {
    const cost = { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } };
    const over = { input: 6, output: 22, cache: { read: 0.6, write: 7.5 } };
    const known = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const above = { input: 6, output: 22, cacheRead: 0.6, cacheWrite: 7.5 };
    assert.deepEqual(read({ cost })?.cost, known);
    assert.deepEqual(read({ cost: { ...cost, experimentalOver200K: over } })?.cost, {
      ...known,
      tiers: [{ ...above, above: 200_000 }],
    });
    const tiers = [{ ...over, tier: { type: 'context', size: 128_000 } }];
    assert.deepEqual(read({ cost: { ...cost, tiers } })?.cost, {
      ...known,
      tiers: [{ ...above, above: 128_000 }],
    });
  });

  it('knows no price where the catalogue says 0, says nothing, or says something strange', () => {
    const free = { input: 0, output: 0, cache: { read: 0, write: 0 } };
    for (const cost of [
      free,
      undefined,
      null,
      'free',
      { input: -1, output: 2 },
      { input: '3', output: 15 },
    ]) {
      assert.equal(read({ cost })?.cost, undefined, JSON.stringify(cost));
    }
    assert.deepEqual(read({ cost: { input: 1, output: 2, tiers: 'many' } })?.cost, {
      input: 1,
      output: 2,
      cacheRead: 1,
      cacheWrite: 1,
    });
  });

  it('keeps what else it says of a model whose price is strange', () => {
    assert.deepEqual(read({ cost: 7, limit: { context: 8_000 } })?.limit, { context: 8_000, output: 0 });
  });

  it('offers models with what people choose by, as far as it is known', () => {
    const known = read({
      cost: { input: 1, output: 2 },
      limit: { context: 200_000, output: 8_000 },
      capabilities: { toolcall: false },
    });
    assert.deepEqual(known && offerOf('acme/a/b', { ...known, providerName: 'Acme' }), {
      id: 'acme/a/b',
      provider: 'Acme',
      price: { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
      context: 200_000,
      usesTools: false,
    });
    const nothing = read({ limit: { context: 0 } });
    assert.deepEqual(nothing && offerOf('acme/a/b', nothing), {
      id: 'acme/a/b',
      provider: 'acme',
      price: undefined,
      context: undefined,
      usesTools: undefined,
    });
  });

  it('says for which models OpenCode marks beginnings', () => {
    const marks = (provider: string, model: string, api: unknown) => {
      const known = read({ api });
      return known && marksBeginnings({ provider, model }, known);
    };
    for (const [provider, model, api] of [
      ['anthropic', 'opus', {}],
      ['google-vertex-anthropic', 'opus', {}],
      ['openrouter', 'anthropic/opus', {}],
      ['mine', 'large', { id: 'claude-large', npm: '@ai-sdk/openai-compatible' }],
      ['mine', 'large', { id: 'large', npm: '@ai-sdk/anthropic' }],
      ['alibaba', 'qwen', { id: 'qwen', npm: '@ai-sdk/alibaba' }],
    ] as const)
      assert.equal(marks(provider, model, api), true, `${provider}/${model}`);
    for (const [provider, model, api] of [
      ['openai', 'gpt', { id: 'gpt', npm: '@ai-sdk/openai' }],
      ['vercel', 'anthropic/claude', { id: 'anthropic/claude', npm: '@ai-sdk/gateway' }],
      ['ollama', 'qwen', undefined],
      ['ollama', 'qwen', 'strange'],
    ] as const)
      assert.equal(marks(provider, model, api), false, `${provider}/${model}`);
  });
});
