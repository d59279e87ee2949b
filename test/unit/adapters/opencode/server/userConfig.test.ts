import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userConfig } from '../../../../../src/adapters/opencode/server/userConfig.ts';
import { tempFolder } from '../../../../support/tempFolder.ts';

describe('the user’s own OpenCode configuration', () => {
  const home = tempFolder('user-config');
  const write = (folder: string, name: string, text: string): void => {
    mkdirSync(join(home.path, folder, 'opencode'), { recursive: true });
    writeFileSync(join(home.path, folder, 'opencode', name), text);
  };
  after(() => home.remove());

  it('offers its providers, whichever of its files they are in, with comments', async () => {
    write(
      '.config',
      'opencode.json',
      '{ "provider": { "ollama": { "npm": "one" }, "own": { "npm": "two" } } }',
    );
    write('.config', 'opencode.jsonc', '{\n  // Here.\n  "provider": { "own": { "npm": "three" }, },\n}');
    const { provider } = await userConfig({ HOME: home.path });
    assert.deepEqual(provider, { ollama: { npm: 'one' }, own: { npm: 'three' } });
  });

  it('is the one of the folder that the user’s variable names', async () => {
    write('elsewhere', 'config.json', '{ "provider": { "lm": {} }, "disabled_providers": ["opencode"] }');
    const config = await userConfig({ HOME: home.path, XDG_CONFIG_HOME: join(home.path, 'elsewhere') });
    assert.deepEqual(config, { provider: { lm: {} }, disabled_providers: ['opencode'] });
  });

  it('is empty where there is none, and where it makes no sense', async () => {
    assert.deepEqual(await userConfig({ HOME: join(home.path, 'nobody') }), {});
    write('odd', 'opencode.json', '"provider"');
    write('odd', 'config.json', '{ "provider": ["x"] ');
    assert.deepEqual(await userConfig({ XDG_CONFIG_HOME: join(home.path, 'odd') }), { provider: {} });
  });
});
