import assert from 'node:assert/strict';
import { ConfigurationTarget, workspace } from 'vscode';
import { frozenFields } from '../../../src/host/ticketSettings.ts';

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
    for (const name of ['opencode.path', 'opencode.configFile', 'opencode.url']) {
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
});
