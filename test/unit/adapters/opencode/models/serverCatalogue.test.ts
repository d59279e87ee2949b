import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeServerCatalogue } from '../../../../../src/adapters/opencode/models/catalogue.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

describe('The models that a server is given', () => {
  const folder = folderForEach('catalogue');
  const place = (...names: string[]) => join(folder.path, ...names);
  const own = () => place('cache', 'opencode', 'models-1a2b.json');
  const persons = () => place('home', '.cache', 'opencode', 'models.json');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const catalogue = (...ids: string[]) =>
    JSON.stringify(Object.fromEntries(ids.map((id) => [id, { id, models: {} }])));
  const described = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: 'http://127.0.0.1:1' },
    models: { qwen: {} },
  };

  /** Undefined where the server has its own catalogue. */
  const given = async (config: Record<string, unknown>, { login = '', env = {} } = {}) => {
    const files = { cache: place('cache'), file: place('catalogue.json') };
    const path = await writeServerCatalogue({
      config,
      login,
      env: { HOME: place('home'), ...env },
      ...files,
    });
    return path === undefined
      ? undefined
      : Object.keys(JSON.parse(readFileSync(path, 'utf8')) as object).sort();
  };

  it('are those of configuration, logins, keys and of the provider that needs none', async () => {
    write(own(), catalogue('anthropic', 'groq', 'mistral', 'opencode', 'openai', 'xai'));
    const config = { provider: { mistral: {}, mine: described } };
    const login = JSON.stringify({ openai: { type: 'api', key: 'k' } });
    assert.deepEqual(await given(config, { login, env: { GROQ_API_KEY: 'k' } }), [
      'groq',
      'mistral',
      'openai',
      'opencode',
    ]);
    assert.deepEqual(await given({ ...config, disabled_providers: ['opencode'] }), ['mistral']);
    assert.deepEqual(await given({ ...config, enabled_providers: ['xai', 'mine'] }), ['xai']);
  });

  it('are none where everything that may be used is described in the configuration', async () => {
    assert.deepEqual(await given({ provider: { mine: described }, enabled_providers: ['mine'] }), []);
  });

  it('are OpenCode’s own where no catalogue is known and one is needed', async () => {
    for (const lacking of ['npm', 'options', 'models'])
      assert.equal(
        await given({
          provider: { mine: { ...described, [lacking]: undefined } },
          enabled_providers: ['mine'],
        }),
        undefined,
        lacking,
      );
    assert.equal(
      await given({ provider: { mine: described } }),
      undefined,
      'the provider that needs no login is offered',
    );
    assert.equal(await given({}), undefined);
  });

  it('come from the newest readable catalogue: the server’s, or that of the person’s OpenCode', async () => {
    const config = { enabled_providers: ['old', 'new'] };
    write(persons(), catalogue('old'));
    assert.deepEqual(await given(config), ['old']);
    write(own(), catalogue('new'));
    const yesterday = Date.now() / 1_000 - 86_400;
    utimesSync(persons(), yesterday, yesterday);
    assert.deepEqual(await given(config), ['new']);
    write(own(), '{"new": ');
    assert.deepEqual(await given(config), ['old'], 'one that is being written is left out');
    utimesSync(persons(), 1, 1);
    assert.equal(await given(config), undefined, 'a stale one of the person lacks models');
  });
});
