import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretStorage } from 'vscode';
import { HostSettings, notificationSettings, sealKey } from '../../../../src/host/settings/hostSettings.ts';
import type { StoredPassword } from '../../../../src/host/settings/storedPassword.ts';
import { StarredModels } from '../../../../src/views/shared/starredModels.ts';
import { FakeMemory } from '../../../support/fakes/fakeMemory.ts';
import { ownWindow } from '../../../support/fakes/fakeEditor.ts';
import { folderForEach } from '../../../support/tempFolder.ts';

/** `faster`: stored by another window at the same moment. */
function secretStorage(faster?: string): SecretStorage {
  const stored = new Map<string, string>();
  const known: Pick<SecretStorage, 'get' | 'store'> = {
    get: async (name) => stored.get(name),
    store: async (name, value) => void stored.set(name, faster ?? value),
  };
  return known as SecretStorage;
}

describe('the settings of a person', () => {
  let kept: string[];
  let settings: HostSettings;

  beforeEach(() => {
    kept = [];
    const password: Pick<StoredPassword, 'get'> = { get: async () => 'pass-word' };
    settings = new HostSettings(
      password as StoredPassword,
      (secrets) => kept.push(...secrets),
      secretStorage(),
      new StarredModels(new FakeMemory()),
    );
  });

  const refused = (name: string, said: RegExp) => (error: Error & { code?: string }) => {
    assert.deepEqual([error.code, error.message.includes(name)], ['INVALID_INPUT', true], error.message);
    assert.match(error.message, said);
    return true;
  };

  describe('about OpenCode', () => {
    const folder = folderForEach('settings');
    const before = process.env['XDG_CONFIG_HOME'];
    beforeEach(() => (process.env['XDG_CONFIG_HOME'] = folder.path));
    afterEach(() => {
      if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
      else process.env['XDG_CONFIG_HOME'] = before;
    });

    it('are the user’s own configuration unless something is set', async () => {
      assert.deepEqual(await settings.opencode(), { config: {} });
      assert.deepEqual([settings.binary(), settings.promptFolder(), kept], [undefined, undefined, []]);
      const config = { provider: { local: { options: { apiKey: 'key-of-a-provider' } } } };
      await mkdir(join(folder.path, 'opencode'));
      await writeFile(join(folder.path, 'opencode', 'opencode.json'), JSON.stringify(config));
      assert.deepEqual(await settings.opencode(), { config });
      assert.deepEqual(kept, ['key-of-a-provider']);
      ownWindow.set('beadsmith.opencode.url', 'http://127.0.0.1:4096');
      assert.deepEqual((await settings.opencode()).config, {});
    });

    it('are its program, a configuration, and a server with its password, and no secret of them is ever shown', async () => {
      const file = join(folder.path, 'opencode.json');
      const config = { provider: { own: { options: { apiKey: 'key-of-a-provider' } } } };
      await writeFile(file, JSON.stringify(config));
      ownWindow.set('beadsmith.opencode.path', '/opt/opencode');
      ownWindow.set('beadsmith.opencode.configFile', file);
      ownWindow.set('beadsmith.opencode.url', 'http://127.0.0.1:4096');
      const expected = {
        binary: '/opt/opencode',
        config,
        password: 'pass-word',
        url: 'http://127.0.0.1:4096',
      };
      assert.deepEqual(await settings.opencode(), expected);
      assert.deepEqual(kept.toSorted(), ['key-of-a-provider', 'pass-word']);
      assert.equal(settings.binary(), '/opt/opencode');
    });

    it('ask for no password where no server is set', async () => {
      ownWindow.set('beadsmith.opencode.path', '/opt/opencode');
      assert.equal((await settings.opencode()).password, undefined);
    });

    it('are refused with their names when a path is relative, and a configuration when it cannot be read', async () => {
      ownWindow.set('beadsmith.promptFolder', 'prompts');
      assert.throws(() => settings.promptFolder(), refused('beadsmith.promptFolder', /absolute path/));
      ownWindow.set('beadsmith.promptFolder', '/prompts');
      assert.equal(settings.promptFolder(), '/prompts');
      ownWindow.set('beadsmith.opencode.path', 7);
      await assert.rejects(settings.opencode(), refused('beadsmith.opencode.path', /absolute path/));
      ownWindow.set('beadsmith.opencode.path', '');
      for (const [text, said] of [
        ['[]', /not a JSON object/],
        ['{', /JSON/],
      ] as const) {
        const file = join(folder.path, 'bad.json');
        await writeFile(file, text);
        ownWindow.set('beadsmith.opencode.configFile', file);
        await assert.rejects(settings.opencode(), refused(file, said));
      }
      ownWindow.set('beadsmith.opencode.configFile', join(folder.path, 'none.json'));
      await assert.rejects(settings.opencode(), refused('none.json', /ENOENT/));
    });
  });

  describe('about the sandbox', () => {
    it('come from the environment until they are set', () => {
      const env = { BEADSMITH_SANDBOX: 'require', BEADSMITH_SANDBOX_HOSTS: 'one.example' };
      assert.equal(settings.sandbox(env), 'require');
      assert.deepEqual(settings.sandboxHosts(env), ['one.example']);
      ownWindow.set('beadsmith.sandbox', 'off');
      ownWindow.set('beadsmith.sandboxHosts', ['two.example']);
      assert.equal(settings.sandbox(env), 'off');
      assert.deepEqual(settings.sandboxHosts(env), ['two.example']);
    });

    it('are refused when they make no sense', () => {
      ownWindow.set('beadsmith.sandbox', 'maybe');
      assert.throws(() => settings.sandbox({}), refused('beadsmith.sandbox', /./));
      ownWindow.set('beadsmith.sandboxHosts', ['http://two.example/path']);
      assert.throws(() => settings.sandboxHosts({}), refused('beadsmith.sandboxHosts', /./));
    });
  });

  it('about cleaning up have defaults, and are refused below nothing', () => {
    const usual = settings.cleanUp();
    assert.ok(usual.days > 0 && usual.megabytes > 0);
    ownWindow.set('beadsmith.cleanUp', { keepDays: usual.days + 1 });
    assert.deepEqual(settings.cleanUp(), { ...usual, days: usual.days + 1 });
    ownWindow.set('beadsmith.cleanUp', { keepMegabytes: -1 });
    assert.throws(() => settings.cleanUp(), refused('beadsmith.cleanUp.keepMegabytes', /./));
  });

  it('about a repository are those of its folder, and of the editor’s own git, as far as that is a list of texts', () => {
    const usual = settings.repository('/repo');
    assert.deepEqual(
      [usual.ticketPrefix, usual.worktreeIncludeFiles, usual.worktreeSymlinkFolders],
      [undefined, [], []],
    );
    ownWindow.set('beadsmith.ticketPrefix', 'ABC', 'folder');
    ownWindow.set('beadsmith.codingTickets', 3, 'workspace');
    ownWindow.set('git.worktreeIncludeFiles', ['*.env']);
    ownWindow.set('git.worktreeSymlinkFolders', 'node_modules');
    const { ticketPrefix, codingTickets, worktreeIncludeFiles, worktreeSymlinkFolders } =
      settings.repository('/repo');
    assert.deepEqual(
      [ticketPrefix, codingTickets, worktreeIncludeFiles, worktreeSymlinkFolders],
      ['ABC', 3, ['*.env'], []],
    );
    ownWindow.set('beadsmith.ticketPrefix', 'no prefix', 'folder');
    assert.throws(() => settings.repository('/repo'), refused('beadsmith.ticketPrefix', /./));
  });

  describe('about a ticket to start', () => {
    it('name a model and a council once a person chose them', async () => {
      const usual = settings.start('/repo');
      assert.deepEqual([usual.mainImplementer, usual.councilMembers], [undefined, undefined]);
      await settings.rememberModels({ mainImplementer: 'one/main' });
      assert.deepEqual(
        [settings.start('/repo').mainImplementer, settings.start('/repo').councilMembers],
        ['one/main', undefined],
      );
      await settings.rememberModels({ mainImplementer: 'two/main', councilMembers: ['two/other'] });
      assert.deepEqual(
        [settings.start('/repo').mainImplementer, settings.start('/repo').councilMembers],
        ['two/main', ['two/other']],
      );
      assert.deepEqual(ownWindow.settings.get('beadsmith.mainImplementer'), { global: 'two/main' });
    });

    it('have their limits in milliseconds, of seconds', () => {
      const { commandTimeout = 0 } = settings.start('/repo').limits;
      assert.ok(commandTimeout >= 1_000);
      ownWindow.set('beadsmith.timeouts', { command: commandTimeout / 1_000 + 1 });
      assert.equal(settings.start('/repo').limits.commandTimeout, commandTimeout + 1_000);
    });

    it('are refused with their names', () => {
      for (const [name, value, said] of [
        ['beadsmith.timeouts', { command: -1 }, /so many seconds/],
        ['beadsmith.budgets', [{ per: 'week' }], /per/],
        ['beadsmith.limits.maxIterations', 'many', /./],
        ['beadsmith.mainImplementer', 'no model', /./],
      ] as const) {
        ownWindow.set(name, value);
        assert.throws(() => settings.start('/repo'), refused(name, said));
        ownWindow.settings.clear();
      }
    });
  });

  it('about notifications are on until one is muted, for all windows', async () => {
    assert.equal(notificationSettings.wants('blocked'), true);
    await notificationSettings.mute('blocked');
    assert.deepEqual(
      [notificationSettings.wants('blocked'), notificationSettings.wants('finished')],
      [false, true],
    );
    const { global } = ownWindow.settings.get('beadsmith.notifications') ?? {};
    assert.deepEqual(global, { blocked: false });
  });
});

describe('the key of a person’s decisions', () => {
  it('is made once, is long, and is kept secret', async () => {
    const storage = secretStorage();
    const kept: string[] = [];
    const settings = new HostSettings(
      { get: async () => undefined } as unknown as StoredPassword,
      (secrets) => kept.push(...secrets),
      storage,
      new StarredModels(new FakeMemory()),
    );
    const { key, decide } = await settings.decisions();
    assert.match(String(key), /^[\w-]{43}$/);
    assert.deepEqual(kept, [key]);
    assert.equal(await sealKey(storage), key);
    await decide({} as never);
    assert.notEqual(await sealKey(secretStorage()), key);
  });

  it('is that of the window which was faster', async () => {
    assert.equal(await sealKey(secretStorage('of another window')), 'of another window');
  });
});
