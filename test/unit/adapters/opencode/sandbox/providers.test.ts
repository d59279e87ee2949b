import assert from 'node:assert/strict';
import { sealProviders } from '../../../../../src/adapters/opencode/sandbox/providers.ts';

describe('What a sandboxed server is told of providers', () => {
  const seal = ({
    login = {},
    ...options
  }: {
    config?: Record<string, unknown>;
    login?: unknown;
    env?: Record<string, string>;
  }) =>
    sealProviders({
      config: {},
      env: { HOME: '/nowhere' },
      relay: 'http://relay',
      ...options,
      login: JSON.stringify(login),
    });

  it('is a placeholder for a key of the environment', () => {
    const sealed = seal({ env: { ANTHROPIC_API_KEY: 'sk-env', HOME: '/nowhere' } });
    assert.doesNotMatch(JSON.stringify(sealed.provider), /sk-env/);
    assert.equal(sealed.upstreams['anthropic']?.base, 'https://api.anthropic.com/v1');
    assert.deepEqual(Object.values(sealed.upstreams['anthropic'].keys), ['sk-env']);
  });

  it('is a placeholder for a stored key, which the configuration wins over', () => {
    const login = { openai: { type: 'api', key: 'sk-stored' }, groq: { type: 'api', key: 'gsk' } };
    const config = {
      provider: { openai: { options: { apiKey: 'sk-own', baseURL: 'http://127.0.0.1:9/v1' } } },
    };
    const sealed = seal({ config, login });
    assert.doesNotMatch(JSON.stringify(sealed.provider), /sk-|gsk/);
    assert.deepEqual(Object.values(sealed.upstreams['openai']?.keys ?? {}), ['sk-own']);
    assert.equal(sealed.upstreams['openai']?.base, 'http://127.0.0.1:9/v1');
    assert.deepEqual(Object.values(sealed.upstreams['groq']?.keys ?? {}), ['gsk']);
    assert.deepEqual(sealed.logins, {});
  });

  it('is the login itself where there is no key, with the hosts that it is for', () => {
    const oauth = { type: 'oauth', refresh: 'r', access: 'a', expires: 1 };
    const sealed = seal({ login: { anthropic: oauth } });
    assert.deepEqual(sealed.logins, { anthropic: oauth });
    assert.ok(sealed.hosts.includes('api.anthropic.com'));
    assert.deepEqual(sealed.upstreams, {});
  });

  it('leaves out a provider whose address nobody knows', () => {
    const sealed = seal({ login: { exotic: { type: 'api', key: 'k' } } });
    assert.deepEqual([sealed.unknown, sealed.provider], [['exotic'], {}]);
  });
});
