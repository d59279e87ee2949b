import assert from 'node:assert/strict';
import type { Uri as EditorUri } from 'vscode';
import { BlobFiles, PromptTexts } from '../../../../src/host/files/ownFiles.ts';
import { LazyFiles } from '../../../../src/host/lazyHost.ts';
import { SupportFiles } from '../../../../src/host/files/supportFiles.ts';
import { promptUri } from '../../../../src/views/documents/promptAddress.ts';
import { blobAddress } from '../../../../src/views/review/blobAddress.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import {
  editor,
  FileChangeType,
  type FileSystemError,
  ownWindow,
  Uri,
} from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';

const commit = 'a'.repeat(40);
const address = (uri: unknown): EditorUri => uri as EditorUri;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const fails = (code: string) => (error: FileSystemError) => error.code === code;

describe('files that are there only because the extension says so', () => {
  let client: FakeClient;
  let repositories: FakeRepositories;
  beforeEach(() => {
    client = new FakeClient();
    repositories = new FakeRepositories();
    repositories.show(client);
  });

  const blob = (path: string, of: string | null = commit, root = '/sample'): EditorUri =>
    address(
      Uri.from(
        blobAddress(root, { ticket: 'TST-1', path, commit: of, side: 'new', scope: { kind: 'ticket' } }),
      ),
    );

  describe('of a diff', () => {
    it('are read once, and can never change', async () => {
      const files = new BlobFiles(repositories);
      client.diffs.files.set(`${commit}:a.txt`, 'hello\n');
      assert.equal(text(await files.readFile(blob('a.txt'))), 'hello\n');
      client.diffs.files.set(`${commit}:a.txt`, 'other text\n');
      assert.equal(text(await files.readFile(blob('a.txt'))), 'hello\n');
      const { size, permissions } = await files.stat(blob('a.txt'));
      assert.deepEqual([size, permissions], [6, 1]);
      await assert.rejects(files.writeFile(blob('a.txt'), new Uint8Array()), fails('NoPermissions'));
      await assert.rejects(files.readDirectory(blob('a.txt')), fails('FileNotFound'));
    });

    it('are empty on the side where they are not there', async () => {
      assert.equal((await new BlobFiles(repositories).readFile(blob('a.txt', null))).length, 0);
    });

    it('are asked for again when they were not found', async () => {
      const files = new BlobFiles(repositories);
      await assert.rejects(files.readFile(blob('a.txt')), fails('FileNotFound'));
      client.diffs.files.set(`${commit}:a.txt`, 'late\n');
      assert.equal(text(await files.readFile(blob('a.txt'))), 'late\n');
    });

    it('are kept for a multi-diff, and not for ever', async () => {
      const files = new BlobFiles(repositories);
      const names = Array.from({ length: 65 }, (_, index) => `${String(index)}.txt`);
      for (const name of names) client.diffs.files.set(`${commit}:${name}`, 'first');
      for (const name of names) await files.readFile(blob(name));
      for (const name of names) client.diffs.files.set(`${commit}:${name}`, 'second');
      assert.equal(text(await files.readFile(blob('1.txt'))), 'first');
      assert.equal(text(await files.readFile(blob('0.txt'))), 'second');
    });

    it('are none of a closed repository, nor of an address that is none of ours', async () => {
      const files = new BlobFiles(repositories);
      await assert.rejects(files.readFile(blob('a.txt', commit, '/another')), fails('Unavailable'));
      await assert.rejects(
        files.readFile(address(Uri.from({ scheme: 'file', path: '/a.txt' }))),
        fails('FileNotFound'),
      );
    });
  });

  it('are the texts of prompts', async () => {
    const files = new PromptTexts(repositories);
    client.history.pastCalls = [{ id: 'call-1', input: 'Do it: ä' } as never];
    const uri = (id: string, root = '/sample'): EditorUri =>
      promptUri(root, 'TST-1', { id, prompt: 'coding' });
    assert.equal(text(await files.readFile(uri('call-1'))), 'Do it: ä');
    assert.deepEqual(
      [(await files.stat(uri('call-1'))).size, (await files.stat(uri('call-1'))).permissions],
      [9, 1],
    );
    await assert.rejects(files.readFile(uri('call-2')), fails('FileNotFound'));
    await assert.rejects(files.readFile(uri('call-1', '/another')), fails('Unavailable'));
    await assert.rejects(
      files.readFile(address(Uri.from({ scheme: 'file', path: '/a' }))),
      fails('FileNotFound'),
    );
  });

  describe('about the product itself', () => {
    const uriOf = (name: string): EditorUri =>
      address(Uri.from({ scheme: 'beadsmith-support', path: `/${name}` }));

    it('are shown, told of, and read', async () => {
      const files = new SupportFiles();
      const told: unknown[] = [];
      files.onDidChangeFile((changes) => told.push(...changes.map(({ type, uri }) => [type, uri.path])));
      assert.equal(files.shown('report.md'), undefined);
      await files.show('report.md', 'git: ä\n');
      assert.deepEqual(told, [[FileChangeType.Changed, '/report.md']]);
      assert.match(editor.opened[0] ?? '', /\/report\.md focused$/);
      assert.equal(files.shown('report.md'), 'git: ä\n');
      const { scheme } = Uri.parse(editor.opened[0]?.split(' ')[0] ?? '');
      const uri = address(Uri.from({ scheme, path: '/report.md' }));
      assert.equal(text(await files.readFile(uri)), 'git: ä\n');
      assert.equal((await files.stat(uri)).size, 8);
      assert.deepEqual(files.provideDocumentLinks({ uri } as never), []);
    });

    it('offer to be made again when the window was reloaded', async () => {
      const files = new SupportFiles();
      const offered = {
        'report.md': 'reportIssue',
        'verification.txt': 'verifyEvidence',
        'replay.txt': 'replayPrompts',
      };
      const all = {
        ...offered,
        'request.txt': 'replyToAgent',
        'rehearsal.txt': 'checkSetup',
      };
      for (const [name, command] of Object.entries(all)) {
        const content = text(await files.readFile(uriOf(name)));
        const [found] = files.provideDocumentLinks({ uri: uriOf(name) } as never);
        const { start, end } = found?.range as {
          start: { line: number; character: number };
          end: { character: number };
        };
        assert.equal(found?.target?.path, `beadsmith.${command}`);
        assert.equal(content.split('\n')[start.line]?.slice(0, end.character).startsWith('→ '), true);
        assert.equal(content.split('\n')[start.line]?.length, end.character);
      }
    });
  });

  describe('that are loaded when the first is asked for', () => {
    it('hand on what is asked and told', async () => {
      let loads = 0;
      const own = new SupportFiles();
      const files = new LazyFiles('beadsmith-support', { isReadonly: true }, async () => {
        loads += 1;
        return own;
      });
      assert.deepEqual(ownWindow.registered.get('files beadsmith-support'), {
        provider: files,
        options: { isCaseSensitive: true, isReadonly: true },
      });
      assert.equal(loads, 0);
      files.follow(own);
      const told: string[] = [];
      files.onDidChangeFile((changes) => told.push(...changes.map(({ uri }) => uri.path)));
      await own.show('report.md', 'all is well\n');
      assert.deepEqual(told, ['/report.md']);
      const uri = address(Uri.from({ scheme: 'beadsmith-support', path: '/report.md' }));
      assert.equal(text(await files.readFile(uri)), 'all is well\n');
      assert.equal((await files.stat(uri)).size, 12);
      await assert.rejects(files.writeFile(uri, new Uint8Array()), fails('NoPermissions'));
      await assert.rejects(files.readDirectory(uri), fails('FileNotFound'));
      for (const change of [
        () => files.createDirectory(uri),
        () => files.delete(uri),
        () => files.rename(uri),
      ])
        assert.throws(change, fails('NoPermissions'));
      files.dispose();
      assert.equal(ownWindow.registered.has('files beadsmith-support'), false);
      await own.show('report.md', 'more\n');
      assert.deepEqual(told, ['/report.md']);
    });
  });
});
