import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import type { SupportFiles } from '../../../src/host/files/supportFiles.ts';
import type { Log } from '../../../src/host/logging/log.ts';
import type { WorkspaceRepositories } from '../../../src/host/repositories/workspaceRepositories.ts';
import type { HostSettings } from '../../../src/host/settings/hostSettings.ts';
import { supportOf } from '../../../src/host/support.ts';
import type { Support } from '../../../src/views/shared/workbench.ts';
import { env, ownWindow } from '../../support/fakes/fakeEditor.ts';
import { folderForEach } from '../../support/tempFolder.ts';

describe('how the product itself is doing', () => {
  const folder = folderForEach('support');
  let shown: unknown[];
  let support: Support;
  beforeEach(() => {
    shown = [];
    support = make('https://issues.example/new');
  });
  afterEach(() => (env.remoteName = undefined));

  function make(issues?: string): Support {
    const bugs = issues === undefined ? {} : { bugs: { url: issues } };
    const packageJSON = { version: '9.8.7', ...bugs };
    const log: Pick<Log, 'lines' | 'secrets'> = {
      lines: [{ at: 1, level: 'info', text: 'hello', detail: '' }],
      secrets: new Set(['log-secret']),
    };
    const files: Pick<SupportFiles, 'show' | 'shown'> = {
      show: async (name, text) => void shown.push([name, text]),
      shown: (name) => `shown ${name}`,
    };
    const repositories = {
      passwords: async () => ['server-password'],
      entries: [{ root: '/home/x/sample' }],
    };
    const settings: Pick<HostSettings, 'promptFolder' | 'sandbox' | 'opencode'> = {
      promptFolder: () => join(folder.path, 'prompts'),
      sandbox: () => 'off',
      opencode: () => Promise.reject(new Error('the settings are wrong')),
    };
    return supportOf({ extension: { packageJSON } } as Pick<ExtensionContext, 'extension'>, {
      log: log as Log,
      files: files as SupportFiles,
      settings: settings as HostSettings,
      repositories: repositories as unknown as WorkspaceRepositories,
    });
  }

  it('names versions, and where the editor runs without the address of a private server', () => {
    const { versions } = support.facts();
    assert.equal(versions['Beadsmith'], '9.8.7');
    assert.match(versions['VS Code'] ?? '', /^1\.105\.0 \(Code, desktop, desktop\)$/);
    assert.deepEqual(
      [versions['Remote'], versions['Node'], versions['Workspace']],
      ['none', process.versions.node, '0 folders, trusted'],
    );
    env.remoteName = 'wsl';
    ownWindow.isTrusted = false;
    assert.deepEqual(
      [support.facts().versions['Remote'], support.facts().versions['Workspace']],
      ['wsl', '0 folders, not trusted'],
    );
    env.remoteName = 'build.example.com:22';
    assert.equal(support.facts().versions['Remote'], 'another server');
  });

  it('names settings that were set, the narrowest scope of each, and not where a private server is', () => {
    assert.deepEqual(support.facts().settings, {});
    ownWindow.set('beadsmith.mainImplementer', 'one/main');
    ownWindow.set('beadsmith.mainImplementer', 'two/main', 'workspace');
    ownWindow.set('beadsmith.opencode.url', 'https://private.example');
    const expected = { 'beadsmith.mainImplementer': '"two/main"', 'beadsmith.opencode.url': '(set)' };
    assert.deepEqual(support.facts().settings, expected);
    ownWindow.set('beadsmith.mainImplementer', 'three/main', 'folder');
    assert.deepEqual(support.facts().settings, { ...expected, 'beadsmith.mainImplementer': '"three/main"' });
  });

  it('takes secrets, the home folder and repositories out of texts', async () => {
    const redact = await support.redactor();
    const cleaned = redact(
      `log-secret and server-password in ${join(homedir(), 'x')} and /home/x/sample/a.ts`,
    );
    for (const secret of ['log-secret', 'server-password', homedir(), '/home/x/sample'])
      assert.ok(!cleaned.includes(secret), cleaned);
    assert.match(cleaned, /a\.ts/);
  });

  it('hands on the log, documents, and where problems are reported', async () => {
    assert.deepEqual(
      support.log().map(({ text }) => text),
      ['hello'],
    );
    await support.show('report.md', 'x');
    assert.deepEqual(shown, [['report.md', 'x']]);
    assert.deepEqual(
      [support.shown('report.md'), support.issues],
      ['shown report.md', 'https://issues.example/new'],
    );
    assert.equal(make().issues, undefined);
  });

  it('tells a person’s own prompts from those that are built in, and from those that can’t be used', async () => {
    const stateOf = async (name: string) =>
      (await support.prompts.list()).find((prompt) => prompt.name === name);
    assert.deepEqual(
      [(await stateOf('coding'))?.state, (await stateOf('coding'))?.problem],
      ['built-in', ''],
    );
    const path = await support.prompts.override('coding');
    assert.equal(path, join(folder.path, 'prompts/coding.md'));
    assert.equal((await stateOf('coding'))?.state, 'own');
    const mine = `${await readFile(path, 'utf8')}\nBe brief.\n`;
    await writeFile(path, mine);
    await support.prompts.override('coding');
    assert.equal(await readFile(path, 'utf8'), mine);
    await mkdir(join(folder.path, 'prompts'), { recursive: true });
    await writeFile(path, 'nonsense');
    const refused = await stateOf('coding');
    assert.equal(refused?.state, 'refused');
    assert.match(refused.problem, /\S/);
  });

  it('checks the machine, and runs nothing without trust', async () => {
    const checks = async (): Promise<string[]> => {
      const found: string[] = [];
      for await (const { subject, result, code } of support.checkMachine())
        found.push(`${subject} ${result} ${code}`);
      return found;
    };
    assert.deepEqual(await checks(), ['settings fail UNEXPECTED']);
    ownWindow.isTrusted = false;
    assert.deepEqual(await checks(), [
      'git skip UNTRUSTED',
      'sandbox skip UNTRUSTED',
      'opencode skip UNTRUSTED',
    ]);
  });
});
