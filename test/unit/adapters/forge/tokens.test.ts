import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandLineTokens } from '../../../../src/adapters/forge/tokens.ts';
import { proofEnvironment } from '../../../../src/adapters/sandbox/environments.ts';
import { commandEnvironment } from '../../../../src/adapters/system/commandEnvironment.ts';
import { tempFolder } from '../../../support/tempFolder.ts';

describe('a sign-in', () => {
  const editor = { hosts: [], of: async () => 'ghp_editor' };
  const tokens = (environment: Readonly<Record<string, string>>) =>
    new CommandLineTokens({ environment: { PATH: '', ...environment }, inside: [], signIn: editor });

  it('of a variable reaches no command, proof or agent', () => {
    const names = ['GH_TOKEN', 'GITHUB_TOKEN', 'GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'];
    const given = Object.fromEntries(names.map((name) => [name, 'ghp_1']));
    const passed = commandEnvironment({ PATH: '/bin', HOME: '/home/ada', ...given });
    const proof = proofEnvironment(passed, { home: '/proof', installs: true });
    assert.doesNotMatch(JSON.stringify([passed, proof]), /ghp_|GH_|GITHUB_/);
  });

  it('says where it is from', async () => {
    for (const [environment, host, token, source] of [
      [{ GH_TOKEN: ' ghp_1\n', GITHUB_TOKEN: 'ghp_2' }, 'github.com', 'ghp_1', 'GH_TOKEN'],
      [{ GH_TOKEN: ' ', GITHUB_TOKEN: 'ghp_2' }, 'github.com', 'ghp_2', 'GITHUB_TOKEN'],
      [{ GH_ENTERPRISE_TOKEN: 'ghp_3' }, 'git.example.com', 'ghp_3', 'GH_ENTERPRISE_TOKEN'],
      [{}, 'github.com', 'ghp_editor', 'VS Code'],
    ] as const)
      assert.deepEqual(await tokens(environment).of(host), { token, source });
  });
});

describe('the sign-in of a machine', () => {
  it('is there for github.com and hosts that the person named', async () => {
    const environment = {
      PATH: '',
      GH_TOKEN: 'ghp_1',
      GH_ENTERPRISE_TOKEN: 'ghp_2',
      GH_HOST: 'git.example.com',
    };
    const tokens = new CommandLineTokens({ environment, inside: [] });
    const hosts = ['github.com', 'git.example.com', 'gitlab.com', ''];
    assert.deepEqual(await Promise.all(hosts.map((host) => tokens.has(host))), [true, true, false, false]);
    const nobody = new CommandLineTokens({ environment: { PATH: '' }, inside: [] });
    assert.equal(await nobody.has('github.com'), false);
  });
});

describe('a sign-in by gh', () => {
  const folder = tempFolder('gh');
  after(() => folder.remove());

  /** Its answer, with a `gh` of these lines. */
  async function of(script: string, patienceMs = 5_000): Promise<string | undefined> {
    const gh = join(folder.path, 'gh');
    writeFileSync(gh, `#!/bin/sh\n${script}\n`);
    chmodSync(gh, 0o755);
    const environment = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}`, HOME: folder.path };
    const found = await new CommandLineTokens({ environment, inside: [], patienceMs }).of('github.com');
    assert.equal(found?.source, found && 'gh');
    return found?.token;
  }

  it('is taken from its own store', async () => {
    assert.equal(await of('[ "$*" = "auth token --hostname github.com" ] && echo ghp_1'), 'ghp_1');
    assert.equal(await of('echo "no oauth token" >&2; exit 1'), undefined);
  });

  it('asks nobody, and reads no input', async () => {
    assert.equal(await of('cat; [ "$GH_PROMPT_DISABLED" = 1 ] && echo ghp_2'), 'ghp_2');
  });

  it('is none where gh hangs, also on a signal that asks it to end', async () => {
    const from = performance.now();
    assert.equal(await of(`trap '' TERM; while :; do sleep 0.05; done`, 200), undefined);
    assert.ok(performance.now() - from < 3_000);
  });
});
