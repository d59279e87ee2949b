import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  cachedOpencode,
  opencodeConfigFolder,
  opencodeVersion,
} from '../../../src/adapters/opencode/server/findOpencode.ts';
import { installOpencode, ripgrepVersion } from '../../../src/adapters/opencode/server/installOpencode.ts';
import { BeadsmithError } from '../../../src/domain/core/errors.ts';
import { folderForEach } from '../../support/tempFolder.ts';

/** With an npm of the test's own. */
describe('installOpencode', () => {
  const folder = folderForEach('install');
  let env: Record<string, string>;
  const running = new AbortController().signal;

  beforeEach(() => {
    env = { BEADSMITH_CACHE: join(folder.path, 'cache'), PATH: join(folder.path, 'bin') };
    mkdirSync(env['PATH']!);
  });

  it('names the versions that set-up installs', () => {
    const pins: unknown = JSON.parse(
      readFileSync(new URL('../../../.build/pins.json', import.meta.url), 'utf8'),
    );
    const { opencode, ripgrep } = z.object({ opencode: z.string(), ripgrep: z.string() }).parse(pins);
    assert.deepEqual([opencodeVersion, ripgrepVersion], [opencode, ripgrep]);
  });

  it('puts the pinned packages into the cache, without install scripts, and runs the one that picks the binary', async () => {
    npmIs(`mkdir -p node_modules/opencode-ai/bin
      printf '%s\\n' "$@" > ../asked
      echo 'require("node:fs").writeFileSync("bin/opencode.exe", "binary")' > node_modules/opencode-ai/postinstall.cjs
      echo 'import "./postinstall.cjs"' > node_modules/opencode-ai/postinstall.mjs`);
    const binary = await installOpencode({ env, signal: running });
    assert.equal(binary, cachedOpencode(env));
    assert.equal(readFileSync(binary, 'utf8'), 'binary');
    const asked = readFileSync(join(env['BEADSMITH_CACHE']!, 'opencode', 'asked'), 'utf8').split('\n');
    assert.ok(asked.includes('--ignore-scripts') && asked.includes(`opencode-ai@${opencodeVersion}`));
    npmIs('exit 1');
    assert.equal(
      await installOpencode({ env, signal: running }),
      binary,
      'what is there is not installed again',
    );
  });

  it('also installs what OpenCode would fetch for every repository, into the one folder of the user', async () => {
    npmIs(`mkdir -p node_modules/opencode-ai/bin node_modules/@opencode-ai/plugin
      echo 'require("node:fs").writeFileSync("bin/opencode.exe", "binary")' > node_modules/opencode-ai/postinstall.cjs
      echo 'import "./postinstall.cjs"' > node_modules/opencode-ai/postinstall.mjs`);
    await installOpencode({ env, signal: running });
    const folder = join(opencodeConfigFolder(env), 'opencode');
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), {
      dependencies: { '@opencode-ai/plugin': opencodeVersion },
    });
    assert.ok(existsSync(join(folder, 'node_modules/@opencode-ai/plugin')));
    assert.deepEqual(readdirSync(opencodeConfigFolder(env)), ['opencode']);
  });

  it('says that the registry is out of reach, what npm refused, and that there is no npm; and leaves nothing behind', async () => {
    npmIs(
      'echo "npm error code ENOTFOUND" >&2; echo "npm error network request to a registry failed" >&2; exit 1',
    );
    await assert.rejects(installOpencode({ env, signal: running }), { code: 'REGISTRY_UNREACHABLE' });
    npmIs('echo "npm error code E403" >&2; echo "npm error 403 not for you" >&2; exit 1');
    await assert.rejects(
      installOpencode({ env, signal: running }),
      (error) =>
        error instanceof BeadsmithError &&
        error.code === 'INSTALL_FAILED' &&
        error.message.includes('403 not for you'),
    );
    await assert.rejects(installOpencode({ env: { ...env, PATH: '' }, signal: running }), {
      code: 'NPM_MISSING',
    });
    assert.deepEqual(readdirSync(join(env['BEADSMITH_CACHE']!, 'opencode')), []);
  });

  it('stops when the person cancels, and leaves nothing behind', async () => {
    const stop = new AbortController();
    npmIs('touch ../begun; exec sleep 60');
    const begun = join(env['BEADSMITH_CACHE']!, 'opencode', 'begun');
    const installing = installOpencode({
      env: { ...env, PATH: `${env['PATH']!}:/usr/bin:/bin` },
      signal: stop.signal,
    });
    const timer = setInterval(() => {
      if (existsSync(begun)) stop.abort();
    }, 10);
    await assert.rejects(installing);
    clearInterval(timer);
    assert.deepEqual(readdirSync(join(env['BEADSMITH_CACHE']!, 'opencode')), ['begun']);
  });

  function npmIs(script: string): void {
    const path = join(env['PATH']!, 'npm');
    writeFileSync(path, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`);
    chmodSync(path, 0o755);
  }
});
