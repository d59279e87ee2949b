import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { cachedOpencode, findOpencode, opencodeFolder, opencodeVersion } from '../../../../src/adapters/opencode/findOpencode.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

describe('finding OpenCode', () => {
  let folder: ReturnType<typeof tempFolder>;
  let env: Record<string, string>;
  beforeEach(() => {
    folder = tempFolder('opencode');
    env = { BEADSMITH_CACHE: join(folder.path, 'cache'), PATH: '' };
  });
  afterEach(() => {
    folder.remove();
  });

  /** A binary below the folder, of the npm package in this version, or one that answers it when asked. */
  function binary(path: string, version: string, options: { readonly packaged?: boolean; readonly mode?: number } = {}): string {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, options.packaged ? '' : `#!/bin/sh\necho ${version}\n`);
    chmodSync(file, options.mode ?? 0o755);
    if (options.packaged) writeFileSync(join(dirname(dirname(file)), 'package.json'), JSON.stringify({ name: 'opencode-ai', version }));
    return file;
  }
  const onPath = (...files: readonly string[]): void => {
    env['PATH'] = files.map((file) => dirname(file)).join(delimiter);
  };

  it('takes what the setting names, or says why it can’t, and looks nowhere else', async () => {
    const chosen = binary('chosen/bin/mine', opencodeVersion, { packaged: true });
    onPath(binary('path/bin/opencode', opencodeVersion, { packaged: true }));
    assert.equal(await findOpencode({ setting: chosen, env }), chosen);
    const old = binary('old/bin/mine', '0.1.0', { packaged: true });
    await assert.rejects(findOpencode({ setting: old, env }), {
      code: 'OPENCODE_VERSION',
      args: { found: '0.1.0', path: old, wanted: opencodeVersion },
    });
    await assert.rejects(findOpencode({ setting: join(folder.path, 'nothing'), env }), { code: 'OPENCODE_MISSING' });
  });

  it('takes the first of the right version on the PATH, then the one that set-up installed', async () => {
    const wrong = binary('a/bin/opencode', '0.1.0', { packaged: true });
    const right = binary('b/bin/opencode', opencodeVersion, { packaged: true });
    onPath(wrong, right);
    assert.equal(await findOpencode({ env }), right);
    onPath(wrong);
    await assert.rejects(findOpencode({ env }), {
      code: 'OPENCODE_VERSION',
      args: { found: '0.1.0', path: wrong, wanted: opencodeVersion },
    });
    const cached = cachedOpencode(env);
    mkdirSync(dirname(cached), { recursive: true });
    writeFileSync(cached, '', { mode: 0o755 });
    writeFileSync(
      join(opencodeFolder(env), 'node_modules', 'opencode-ai', 'package.json'),
      JSON.stringify({ name: 'opencode-ai', version: opencodeVersion }),
    );
    assert.equal(await findOpencode({ env }), cached);
  });

  it('asks a binary of no package for its version', async () => {
    const asked = binary('c/bin/opencode', `v${opencodeVersion}`);
    env['PATH'] = [dirname(asked), '/usr/bin', '/bin'].join(delimiter);
    assert.equal(await findOpencode({ env }), asked);
  });

  it('never takes one from the current folder, a folder, or a file that can’t be executed', async () => {
    mkdirSync(join(folder.path, 'd', 'opencode'), { recursive: true });
    const still = binary('e/bin/opencode', opencodeVersion, { packaged: true, mode: 0o644 });
    env['PATH'] = [join(folder.path, 'd'), dirname(still), '.', 'bin', ''].join(delimiter);
    await assert.rejects(findOpencode({ env }), { code: 'OPENCODE_MISSING' });
  });

  it('keeps its own in the cache of the user', () => {
    assert.equal(opencodeFolder({ BEADSMITH_CACHE: '/c' }), join('/c', 'opencode', opencodeVersion));
    assert.equal(opencodeFolder({ XDG_CACHE_HOME: '/x' }), join('/x', 'beadsmith', 'opencode', opencodeVersion));
  });
});
