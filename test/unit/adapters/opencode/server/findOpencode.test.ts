import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  cachedOpencode,
  findOpencode,
  opencodeFolder,
  opencodeVersion,
} from '../../../../../src/adapters/opencode/server/findOpencode.ts';
import { folderForEach } from '../../../../support/tempFolder.ts';

describe('finding OpenCode', () => {
  const folder = folderForEach('opencode');
  let env: Record<string, string>;
  beforeEach(() => {
    env = { BEADSMITH_CACHE: join(folder.path, 'cache'), PATH: '' };
  });

  /** Of the npm package in this version, or one that answers it when asked. */
  function binary(
    path: string,
    version: string,
    options: { readonly packaged?: boolean; readonly mode?: number; readonly says?: string } = {},
  ): string {
    const file = join(folder.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho ${options.says ?? version}\n`);
    chmodSync(file, options.mode ?? 0o755);
    if (options.packaged)
      writeFileSync(
        join(dirname(dirname(file)), 'package.json'),
        JSON.stringify({ name: 'opencode-ai', version }),
      );
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
    await assert.rejects(findOpencode({ setting: join(folder.path, 'nothing'), env }), {
      code: 'OPENCODE_MISSING',
    });
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

  it('takes none from inside the repository or its worktrees', async () => {
    const inside = [join(folder.path, 'repo')];
    const theirs = binary('repo/tools/opencode', opencodeVersion, { packaged: true });
    onPath(theirs);
    await assert.rejects(findOpencode({ env, inside }), { code: 'OPENCODE_MISSING' });
    await assert.rejects(findOpencode({ env, inside, setting: theirs }), {
      code: 'OPENCODE_INSIDE',
      args: { path: theirs },
    });
    const ours = binary('b/bin/opencode', opencodeVersion, { packaged: true });
    onPath(theirs, ours);
    assert.equal(await findOpencode({ env, inside }), ours);
  });

  it('asks the binary itself, in an empty home, and once for each state of its file', async () => {
    const asked = binary('p/bin/opencode', opencodeVersion, { packaged: true });
    const homes = join(folder.path, 'homes');
    const answers = (version: string) =>
      `#!/bin/sh\necho "$PWD $HOME $XDG_DATA_HOME $APPDATA" >> ${homes}\necho ${version}\n`;
    writeFileSync(asked, answers('2.0.0'), { mode: 0o755 });
    Object.assign(env, { HOME: folder.path, XDG_DATA_HOME: folder.path });
    for (let again = 0; again < 2; again++) {
      await assert.rejects(findOpencode({ env, setting: asked }), {
        code: 'OPENCODE_VERSION',
        args: { found: '2.0.0', path: asked, wanted: opencodeVersion },
      });
    }
    const [home = '', ...more] = readFileSync(homes, 'utf8').trim().split('\n');
    assert.deepEqual(more, [], 'it was asked again');
    assert.equal(new Set(home.split(' ')).size, 1);
    assert.ok(!home.includes(folder.path), home);
    writeFileSync(asked, `${answers(opencodeVersion)}\n`);
    assert.equal(await findOpencode({ env, setting: asked }), asked);
  });

  it('never takes one from the current folder, a folder, or a file that can’t be executed', async () => {
    mkdirSync(join(folder.path, 'd', 'opencode'), { recursive: true });
    const still = binary('e/bin/opencode', opencodeVersion, { packaged: true, mode: 0o644 });
    env['PATH'] = [join(folder.path, 'd'), dirname(still), '.', 'bin', ''].join(delimiter);
    await assert.rejects(findOpencode({ env }), { code: 'OPENCODE_MISSING' });
  });

  it('keeps its own in the cache of the user', () => {
    assert.equal(opencodeFolder({ BEADSMITH_CACHE: '/c' }), join('/c', 'opencode', opencodeVersion));
    assert.equal(
      opencodeFolder({ XDG_CACHE_HOME: '/x' }),
      join('/x', 'beadsmith', 'opencode', opencodeVersion),
    );
  });
});
