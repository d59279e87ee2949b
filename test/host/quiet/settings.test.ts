import assert from 'node:assert/strict';
import { ConfigurationTarget, workspace } from 'vscode';
import { HostSettings } from '../../../src/host/settings/hostSettings.ts';
import { ServerPassword } from '../../../src/host/settings/opencodeServer.ts';
import { frozenFields } from '../../../src/host/settings/ticketSettings.ts';
import { FakeSecrets } from '../../support/fakes/fakeSecrets.ts';
import { folder } from '../../support/editor/hostWindow.ts';

describe('settings', () => {
  it('have the defaults of the schema, as the editor reads them', () => {
    const configuration = workspace.getConfiguration('beadsmith');
    for (const { name, schema, seconds } of [...frozenFields.settings, ...frozenFields.limits]) {
      const wanted = schema.parse(undefined);
      const value = configuration.get<unknown>(name);
      assert.deepEqual(seconds ? 1_000 * Number(value) : value, wanted, name);
    }
  });

  it('lets no folder set where OpenCode is', async () => {
    for (const name of ['opencode.path', 'opencode.configFile', 'opencode.url', 'promptFolder']) {
      const configuration = workspace.getConfiguration('beadsmith');
      await assert.rejects(async () => configuration.update(name, 'anything', ConfigurationTarget.Workspace));
      assert.equal(configuration.inspect(name)?.workspaceValue, undefined);
    }
  });

  it('of a ticket can be set for a folder', async () => {
    await workspace.getConfiguration('beadsmith').update('limits.maxIterations', 2, ConfigurationTarget.Workspace);
    try {
      assert.equal(workspace.getConfiguration('beadsmith').get('limits.maxIterations'), 2);
    } finally {
      await workspace.getConfiguration('beadsmith').update('limits.maxIterations', undefined, ConfigurationTarget.Workspace);
    }
  });

  it('lead to a server that the user runs, with its password from the secret storage', async () => {
    const secrets = new FakeSecrets();
    const password = new ServerPassword(secrets);
    await password.set('a b c');
    const settings = new HostSettings(password, () => undefined, new FakeSecrets());
    assert.deepEqual(Object.keys(await settings.opencode()).sort(), ['binary', 'config']);
    await workspace.getConfiguration('beadsmith').update('opencode.url', 'http://127.0.0.1:4096/', ConfigurationTarget.Global);
    try {
      const { url, password: sent } = await settings.opencode();
      assert.deepEqual({ url, sent }, { url: 'http://127.0.0.1:4096', sent: 'a b c' });
    } finally {
      await workspace.getConfiguration('beadsmith').update('opencode.url', undefined, ConfigurationTarget.Global);
    }
  });

  it('that make no sense are named, and never read as something else', async () => {
    const settings = new HostSettings(new ServerPassword(new FakeSecrets()), () => undefined, new FakeSecrets());
    await workspace.getConfiguration('beadsmith').update('limits.iterationTimeout', 7_200, ConfigurationTarget.Workspace);
    try {
      assert.throws(() => settings.start(folder()), /beadsmith\.limits\.iterationTimeout/);
    } finally {
      await workspace.getConfiguration('beadsmith').update('limits.iterationTimeout', undefined, ConfigurationTarget.Workspace);
    }
    assert.equal(settings.start(folder()).limits.perIterationTimeout, 1_200_000);
  });
});
