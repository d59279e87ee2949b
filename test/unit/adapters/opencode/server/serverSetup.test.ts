import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { secretsOf } from '../../../../../src/base/redact.ts';
import { prepareServer, setupHash } from '../../../../../src/adapters/opencode/server/serverSetup.ts';
import type { ServerSetup } from '../../../../../src/adapters/opencode/server/serverSetup.ts';

describe('What a server is started with', () => {
  let folder: string;
  let binary: string;
  const prompts = { disabled: 'a', read_only: 'b', default: 'c', execution_setup_online: 'd' };
  const setup = (changes: Partial<ServerSetup> = {}): ServerSetup => ({
    stateDir: join(folder, 'state'),
    domain: 'main',
    agentPrompts: prompts,
    config: {},
    env: { PATH: '/bin', HOME: join(folder, 'home') },
    ...changes,
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'beadsmith-setup-'));
    binary = join(folder, 'node_modules', 'opencode-ai', 'bin', 'opencode.exe');
    mkdirSync(join(binary, '..'), { recursive: true });
    writeFileSync(binary, '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const login = (content: string) => {
    const place = join(folder, 'home', '.local', 'share', 'opencode');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'auth.json'), content);
  };

  it('passes of the environment only what is on the list, and what the configuration names', async () => {
    const env = {
      PATH: '/bin',
      HOME: folder,
      LC_ALL: 'C',
      SECRET_TOKEN: 's',
      MY_KEY: 'k',
      OPENCODE_PERMISSION: 'x',
      NODE_OPTIONS: '-r evil',
    };
    const config = { provider: { mine: { options: { apiKey: '{env:MY_KEY}' } } } };
    const { env: passed } = await prepareServer(setup({ env, config }), binary);
    assert.equal(passed['MY_KEY'], 'k');
    assert.equal(passed['LC_ALL'], 'C');
    for (const name of ['SECRET_TOKEN', 'OPENCODE_PERMISSION', 'NODE_OPTIONS'])
      assert.equal(passed[name], undefined, name);
    assert.equal(passed['OPENCODE_DISABLE_PROJECT_CONFIG'], '1');
  });

  it('takes nothing from the user’s configuration but providers', async () => {
    const config = {
      provider: { p: {} },
      plugin: ['evil'],
      mcp: { evil: {} },
      permission: 'allow',
      agent: { build: {} },
      share: 'auto',
    };
    const { env } = await prepareServer(setup({ config }), binary);
    const content = z.record(z.string(), z.unknown()).parse(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? ''));
    assert.deepEqual(Object.keys(content).sort(), [
      'agent',
      'autoupdate',
      'compaction',
      'provider',
      'share',
      'snapshot',
    ]);
    assert.equal(content['share'], 'disabled');
    const agents = ['beadsmith-default', 'beadsmith-disabled', 'beadsmith-read-only', 'beadsmith-setup'];
    assert.deepEqual(Object.keys(z.record(z.string(), z.unknown()).parse(content['agent'])).sort(), agents);
  });

  it('copies the user’s login, and leaves a renewed copy alone until the user’s own changes', async () => {
    const copy = join(folder, 'state', 'opencode', 'main', 'data', 'opencode', 'auth.json');
    login('one');
    await prepareServer(setup(), binary);
    assert.equal(readFileSync(copy, 'utf8'), 'one');
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    writeFileSync(copy, 'one, renewed');
    await prepareServer(setup(), binary);
    assert.equal(readFileSync(copy, 'utf8'), 'one, renewed');
    login('two');
    await prepareServer(setup(), binary);
    assert.equal(readFileSync(copy, 'utf8'), 'two');
  });

  it('has another hash for another configuration, agent or login, and the same for another terminal', async () => {
    const hash = await setupHash(setup());
    assert.equal(await setupHash(setup({ env: { ...setup().env, PATH: '/usr/bin', TERM: 'vt100' } })), hash);
    assert.notEqual(await setupHash(setup({ config: { provider: { p: {} } } })), hash);
    assert.notEqual(await setupHash(setup({ agentPrompts: { ...prompts, default: 'e' } })), hash);
    login('one');
    assert.notEqual(await setupHash(setup()), hash);
  });

  it('unpacks its libraries into a folder of its own, where nothing of previous servers is, and which commands don’t get', async () => {
    const first = await prepareServer(setup(), binary);
    const old = first.env['BUN_TMPDIR'] ?? '';
    writeFileSync(join(old, '.library.so'), '');
    const { env, nonce, folder: own } = await prepareServer(setup(), binary);
    assert.equal(env['BUN_TMPDIR'], join(own, 'cache', 'unpacked', nonce));
    assert.equal(statSync(env['BUN_TMPDIR']).mode & 0o777, 0o700);
    assert.equal(existsSync(old), false, 'a killed server and guard leave it');
    assert.match(readFileSync(env['SHELL'] ?? '', 'utf8'), /^unset .*\bBUN_TMPDIR\b/m);
  });

  it('is given a part of the model catalogue, which commands don’t get', async () => {
    const fetched = join(folder, 'state', 'opencode', 'main', 'cache', 'opencode', 'models.json');
    assert.equal((await prepareServer(setup(), binary)).env['OPENCODE_MODELS_PATH'], undefined);
    mkdirSync(join(fetched, '..'), { recursive: true });
    writeFileSync(fetched, JSON.stringify({ opencode: { id: 'opencode' }, groq: { id: 'groq' } }));
    const { env } = await prepareServer(setup(), binary);
    assert.deepEqual(JSON.parse(readFileSync(env['OPENCODE_MODELS_PATH'] ?? '', 'utf8')), {
      opencode: { id: 'opencode' },
    });
    assert.match(readFileSync(env['SHELL'] ?? '', 'utf8'), /^unset .*\bOPENCODE_MODELS_PATH\b/m);
  });

  it('finds ripgrep where it is installed beside OpenCode', async () => {
    const beside = join(
      folder,
      'node_modules',
      '@vscode',
      `ripgrep-${process.platform}-${process.arch}`,
      'bin',
    );
    assert.equal((await prepareServer(setup(), binary)).env['PATH'], '/bin');
    mkdirSync(beside, { recursive: true });
    assert.match((await prepareServer(setup(), binary)).env['PATH'] ?? '', /^\/bin:.*ripgrep/);
  });

  it('knows which texts of a configuration must not be shown', () => {
    const config = {
      provider: {
        p: { options: { apiKey: 'sk-12345', baseURL: 'http://x', headers: { 'X-Token': 'tok-9' } } },
      },
    };
    assert.deepEqual(secretsOf(config), ['sk-12345', 'tok-9']);
  });
});
