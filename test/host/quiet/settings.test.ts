import assert from 'node:assert/strict';
import { ConfigurationTarget, Range, type TextDocument, Uri, workspace, WorkspaceEdit } from 'vscode';
import { editorValue, fieldsOf } from '../../../src/domain/settings/editorValues.ts';
import { settingName, settingRow } from '../../../src/domain/settings/rows.ts';
import { HostSettings } from '../../../src/host/settings/hostSettings.ts';
import { moveSettings } from '../../../src/host/settings/moveSettings.ts';
import { StoredPassword } from '../../../src/host/settings/storedPassword.ts';
import { StarredModels } from '../../../src/views/shared/starredModels.ts';
import { FakeMemory } from '../../support/fakes/fakeMemory.ts';
import { FakeSecrets } from '../../support/fakes/fakeSecrets.ts';
import { folder } from '../../support/editor/hostWindow.ts';
import { until } from '../../support/until.ts';

/** The settings file of the folder, as the editor has it. */
async function settingsFile(): Promise<{ readonly document: TextDocument; readonly whole: Range }> {
  const uri = Uri.joinPath(Uri.file(folder()), '.vscode', 'settings.json');
  const isThere = await workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere) await workspace.fs.writeFile(uri, Buffer.from('{}'));
  const document = await workspace.openTextDocument(uri);
  return { document, whole: new Range(0, 0, document.lineCount, 0) };
}

/** Writes the settings of the folder as a person does: in the editor, which so knows of every change. */
async function writeSettings(text: string): Promise<void> {
  const { document, whole } = await settingsFile();
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, whole, text);
  assert.ok(await workspace.applyEdit(edit));
  assert.ok(await document.save());
}

describe('settings', () => {
  it('have the defaults of the schema, as the editor reads them', () => {
    const configuration = workspace.getConfiguration('beadsmith');
    for (const field of [...fieldsOf('settings'), ...fieldsOf('limits')].filter(
      (name) => name !== 'mainImplementer',
    )) {
      const { schema } = settingRow(field);
      const value = editorValue(field, schema, (name) => configuration.get<unknown>(name));
      assert.deepEqual(value, schema.parse(undefined), settingName(field));
    }
  });

  it('that hold several values take one of them alone, in an object or by its whole name', async () => {
    const settings = new HostSettings(
      new StoredPassword(new FakeSecrets(), 'opencode.serverPassword'),
      () => undefined,
      new FakeSecrets(),
      new StarredModels(new FakeMemory()),
    );
    const { Workspace } = ConfigurationTarget;
    await workspace.getConfiguration('beadsmith').update('timeouts', { command: 30 }, Workspace);
    try {
      const { commandTimeout, perIterationTimeout } = settings.start(folder()).limits;
      assert.deepEqual([commandTimeout, perIterationTimeout], [30_000, 1_200_000]);
    } finally {
      await workspace.getConfiguration('beadsmith').update('timeouts', undefined, Workspace);
    }
    await writeSettings('{ "beadsmith.coverage.prdPasses": 3 }');
    try {
      await until(() => settings.start(folder()).settings.maxPrdCoveragePasses === 3, 'the setting is read');
      assert.equal(settings.start(folder()).settings.maxBeadsCoveragePasses, 5);
    } finally {
      await writeSettings('{}');
    }
  });

  it('with new names are moved in the files that have old ones', async () => {
    const old = {
      'beadsmith.limits.commandTimeout': 30,
      'beadsmith.limits.costCap': 250,
      'editor.tabSize': 3,
    };
    await writeSettings(JSON.stringify(old));
    const costCap = (): unknown =>
      workspace.getConfiguration('beadsmith').inspect('limits.costCap')?.workspaceValue;
    try {
      await until(() => costCap() === 250, 'the old settings are read');
      void moveSettings();
      await until(() => costCap() === undefined, 'the old settings are gone');
      const { document } = await settingsFile();
      assert.deepEqual(JSON.parse(document.getText()), {
        'beadsmith.timeouts': { command: 30 },
        'beadsmith.budgets': [{ per: 'ticket', dollars: 2.5 }],
        'editor.tabSize': 3,
      });
    } finally {
      await writeSettings('{}');
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
    await workspace
      .getConfiguration('beadsmith')
      .update('limits.maxIterations', 2, ConfigurationTarget.Workspace);
    try {
      assert.equal(workspace.getConfiguration('beadsmith').get('limits.maxIterations'), 2);
    } finally {
      await workspace
        .getConfiguration('beadsmith')
        .update('limits.maxIterations', undefined, ConfigurationTarget.Workspace);
    }
  });

  it('lead to a server that the user runs, with its password from the secret storage', async () => {
    const secrets = new FakeSecrets();
    const password = new StoredPassword(secrets, 'opencode.serverPassword');
    await password.set('a b c');
    const settings = new HostSettings(
      password,
      () => undefined,
      new FakeSecrets(),
      new StarredModels(new FakeMemory()),
    );
    assert.deepEqual(Object.keys(await settings.opencode()).sort(), ['binary', 'config']);
    await workspace
      .getConfiguration('beadsmith')
      .update('opencode.url', 'http://127.0.0.1:4096/', ConfigurationTarget.Global);
    try {
      const { url, password: sent } = await settings.opencode();
      assert.deepEqual({ url, sent }, { url: 'http://127.0.0.1:4096', sent: 'a b c' });
    } finally {
      await workspace
        .getConfiguration('beadsmith')
        .update('opencode.url', undefined, ConfigurationTarget.Global);
    }
  });

  it('that make no sense are named, and never read as something else', async () => {
    const settings = new HostSettings(
      new StoredPassword(new FakeSecrets(), 'opencode.serverPassword'),
      () => undefined,
      new FakeSecrets(),
      new StarredModels(new FakeMemory()),
    );
    await workspace
      .getConfiguration('beadsmith')
      .update('timeouts', { iteration: 7_200 }, ConfigurationTarget.Workspace);
    try {
      assert.throws(() => settings.start(folder()), /beadsmith\.timeouts\.iteration/);
    } finally {
      await workspace
        .getConfiguration('beadsmith')
        .update('timeouts', undefined, ConfigurationTarget.Workspace);
    }
    assert.equal(settings.start(folder()).limits.perIterationTimeout, 1_200_000);
  });
});
