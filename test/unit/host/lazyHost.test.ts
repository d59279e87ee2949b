import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExtensionContext, TreeDataProvider } from 'vscode';
import { LazyHost } from '../../../src/host/lazyHost.ts';
import { repositoryKey } from '../../../src/protocol/documents.ts';
import type { Node } from '../../../src/views/tickets/tree/nodes.ts';
import { editor, person, ownWindow, Uri } from '../../support/fakes/fakeEditor.ts';
import { folderForEach } from '../../support/tempFolder.ts';
import { until } from '../../support/until.ts';

const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly languageModelTools: readonly { readonly name: string }[];
  };
};

describe('the extension in a window', () => {
  const folder = folderForEach('window');
  let root: string;
  let host: LazyHost | undefined;

  beforeEach(async () => {
    root = join(folder.path, 'sample');
    await mkdir(join(root, '.git'), { recursive: true });
    ownWindow.isTrusted = false;
    ownWindow.folders = [
      { uri: Uri.file(root) },
      { uri: Uri.from({ scheme: 'vscode-remote', path: '/elsewhere' }) },
    ];
  });
  afterEach(async () => {
    await host?.end();
    host = undefined;
  });

  const open = (context: object = {}): void => {
    const nothing = { get: () => undefined, store: async () => undefined, update: async () => undefined };
    const known = {
      globalStorageUri: Uri.file(join(folder.path, 'storage')),
      extensionUri: Uri.file(folder.path),
      extension: { packageJSON: manifestOf() },
      secrets: { ...nothing, onDidChange: () => ({ dispose: () => undefined }) },
      workspaceState: nothing,
    };
    host = new LazyHost({ ...known, ...context } as unknown as ExtensionContext);
  };
  const manifestOf = (): object => ({ ...manifest, version: '0.1.0' });
  const tree = (): TreeDataProvider<Node> => {
    const [view] = Object.values(manifest.contributes.views).flat();
    return ownWindow.registered.get(`tree ${String(view?.id)}`) as TreeDataProvider<Node>;
  };
  const key = (name: string): unknown =>
    editor.ran.findLast((ran) => ran[0] === 'setContext' && ran[1] === `beadsmith.${name}`)?.[2];

  it('has what the manifest promises before anything is loaded', () => {
    open();
    const promised = [
      ...manifest.contributes.commands.map(({ command }) => `command ${command}`),
      ...manifest.contributes.languageModelTools.map(({ name }) => `tool ${name}`),
      ...Object.values(manifest.contributes.views).flatMap((views) => views.map(({ id }) => `tree ${id}`)),
    ];
    assert.deepEqual(
      promised.filter((name) => !ownWindow.registered.has(name)),
      [],
    );
    for (const scheme of ['', '-blob', '-prompt', '-support'])
      assert.ok(
        [...ownWindow.registered.keys()].some((name) => name === `files beadsmith${scheme}`),
        scheme,
      );
    assert.throws(() => tree().getTreeItem({} as Node), /no rows yet/);
  });

  it('shows the repositories of its folders, and says that tickets are read-only without trust', async () => {
    open();
    await until(() => key('state') === 'empty', 'the repository is open');
    assert.deepEqual(await tree().getChildren(), []);
    const files = ownWindow.registered.get('files beadsmith') as {
      provider: { readDirectory(uri: Uri): Promise<unknown> };
    };
    const at = Uri.from({ scheme: 'beadsmith', authority: repositoryKey(root), path: '/' });
    assert.deepEqual(await files.provider.readDirectory(at), []);
    await ownWindow.run('beadsmith.showLog');
    assert.ok(ownWindow.lines.includes('shown'), ownWindow.lines.join('\n'));
  });

  it('opens its repositories again when a setting of theirs, a folder or the trust changes, and for nothing else', async () => {
    open();
    const opened = (): number =>
      editor.ran.filter((ran) => ran[1] === 'beadsmith.state' && ran[2] === 'opening').length;
    await until(() => key('state') === 'empty', 'the repository is open');
    const again = async (what: () => void): Promise<void> => {
      const before = opened();
      what();
      await until(() => opened() > before, 'it is opened again');
      await until(() => key('state') === 'empty', 'it is open again');
    };
    for (const name of [
      'opencode.path',
      'ticketPrefix',
      'worktreeFolder',
      'promptFolder',
      'sandbox',
      'sandboxHosts',
    ])
      await again(() => ownWindow.changes(`beadsmith.${name}`));
    await again(() => ownWindow.changes('git.worktreeIncludeFiles'));
    await again(() => ownWindow.foldersChanged.emit());
    const before = opened();
    ownWindow.changes('beadsmith.notifications');
    await new Promise(setImmediate);
    assert.equal(opened(), before);
  });

  it('shows no repository where there is none', async () => {
    ownWindow.folders = [{ uri: Uri.file(folder.path) }];
    open();
    await until(() => key('state') === 'noRepository', 'it says that there is none');
  });

  it('says why it could not start, and offers to reload the window', async () => {
    editor.will(person.presses(0));
    open({ extension: { packageJSON: { contributes: manifest.contributes } } });
    await assert.rejects(ownWindow.run('beadsmith.showLog'));
    const said = editor.shown.find(({ kind }) => kind === 'error');
    assert.match(String(said?.text), /could not start: [^]*report it/);
    await until(
      () => editor.ran.some(([command]) => command === 'workbench.action.reloadWindow'),
      'the window is reloaded',
    );
  });

  it('leaves nothing behind when it ends, also before it was loaded', async () => {
    open();
    await host?.end();
    assert.deepEqual([...ownWindow.registered.keys()], []);
    await new Promise(setImmediate);
    assert.deepEqual(editor.ran, []);
  });
});
