import assert from 'node:assert/strict';
import type { Uri as EditorUri } from 'vscode';
import { DocumentFiles, childrenOf } from '../../../../src/host/files/documentFiles.ts';
import type { ArtifactInfo } from '../../../../src/domain/ticket/artifacts.ts';
import { sha256 } from '../../../../src/base/sha256.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Limits } from '../../../../src/domain/settings/settings.ts';
import { documentAddress } from '../../../../src/protocol/documents.ts';
import {
  editor,
  FileChangeType,
  FilePermission,
  FileType,
  ownWindow,
  person,
  TextDocumentSaveReason,
  Uri,
  workspace,
  type FileSystemError,
} from '../../../support/fakes/fakeEditor.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { FakePlace, type TicketChanges } from '../../../support/fakes/ticketPlace.ts';
import { until } from '../../../support/until.ts';
import { sampleArtifact } from '../../../support/samples.ts';

const hash = (letter: string): string => letter.repeat(64);
const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);
const gate = (letter: string): TicketChanges => ({
  gate: { artifact: 'prd', sha256: hash(letter) },
  actions: ['edit'],
});

describe('the documents of tickets as files', () => {
  let place: FakePlace;
  let repositories: FakeRepositories;
  let files: DocumentFiles;
  let stored: { content: string; sha256: string; at: number } | undefined;
  let logged: string[];
  let told: (readonly [number, string])[];

  beforeEach(() => {
    logged = [];
    told = [];
    stored = { content: 'epics: []\n', sha256: hash('a'), at: 1_000 };
    place = new FakePlace(gate('a'));
    const { client } = place;
    const info = (version: number): ArtifactInfo =>
      sampleArtifact({
        id: version,
        version,
        status: 'WAITING_PRD_APPROVAL',
        createdAt: stored?.at ?? 0,
        sha256: stored?.sha256 ?? '',
      });
    client.artifact = async (_ticket, _type, version) =>
      stored &&
      (version === undefined
        ? { info: info(2), content: stored.content }
        : { info: info(version), content: 'old: true\n' });
    client.artifacts = async () =>
      stored ? [info(2), { ...info(1), type: 'execution_setup_plan', archived: true }] : [];
    client.views = [place.detail.view];
    repositories = new FakeRepositories();
    repositories.show(client);
    files = new DocumentFiles(repositories, (what) => logged.push(what));
    files.onDidChangeFile((changes) =>
      told.push(...changes.map(({ type, uri }) => [type, uri.path] as const)),
    );
  });
  afterEach(() => files.dispose());

  const uriOf = (type = 'prd', version?: number, root = '/sample'): EditorUri =>
    Uri.from(documentAddress(root, 'TST-1', type, version) ?? { scheme: 'none' }) as unknown as EditorUri;
  const folder = (path: string): EditorUri => uriOf().with({ path });
  const prd = uriOf();
  /** With a person's text if it is dirty. */
  const open = (isDirty: boolean, getText = (): string => ''): void => {
    const document = { uri: prd, isDirty, save: async () => true, getText };
    workspace.textDocuments = [document];
  };
  const readOnly: number = FilePermission.Readonly;
  const isReadOnly = async (uri = prd): Promise<boolean> =>
    Number((await files.stat(uri)).permissions) === readOnly;
  const fails = (said: RegExp) => (error: FileSystemError) => {
    assert.match(error.message, said);
    return true;
  };
  const isCode = (code: string) => (error: FileSystemError) => error.code === code;
  const stores = (content?: string): void => {
    const act = place.client.act;
    place.client.act = async (ticket, kind, body, id) => {
      stored = { content: content ?? (body as { content: string }).content, sha256: hash('b'), at: 2_000 };
      place.detail = new FakePlace(gate('b')).detail;
      return act(ticket, kind, body, id);
    };
  };

  it('are read, with size and time, and may be edited at their gate', async () => {
    const { type, size, mtime, permissions } = await files.stat(prd);
    assert.deepEqual([type, size, mtime, permissions], [FileType.File, 10, 1_000, undefined]);
    assert.equal(text(await files.readFile(prd)), 'epics: []\n');
  });

  it('can only be read as a stored version, without trust, by a reader, and while the ticket is held', async () => {
    assert.equal(await isReadOnly(uriOf('prd', 1)), true);
    assert.equal(text(await files.readFile(uriOf('prd', 1))), 'old: true\n');
    assert.equal(await isReadOnly(), false);
    repositories.trusted = false;
    assert.equal(await isReadOnly(), true);
    repositories.trusted = true;
    place.become({ ...gate('a'), ticket: { hold: { kind: 'paused', since: 0, detail: '' } } });
    assert.equal(await isReadOnly(), true);
    await assert.rejects(files.writeFile(prd, bytes('epics: [1]\n')), fails(/prd\.yaml is read-only now/));
    assert.deepEqual(place.sent, []);
  });

  it('are not found where there is none: no document, no ticket, no repository', async () => {
    await assert.rejects(files.stat(uriOf('prd', undefined, '/another')), isCode('FileNotFound'));
    stored = undefined;
    await assert.rejects(files.readFile(prd), isCode('FileNotFound'));
    place.client.artifact = () => Promise.reject(new BeadsmithError('TICKET_UNKNOWN', { ticket: 'TST-1' }));
    await assert.rejects(files.readFile(prd), isCode('FileNotFound'));
    place.client.artifact = () => Promise.reject(new BeadsmithError('DATABASE_CORRUPT'));
    await assert.rejects(files.readFile(prd), isCode('DATABASE_CORRUPT'));
  });

  it('lie in folders by ticket, without those that were archived', async () => {
    assert.deepEqual(await files.readDirectory(folder('/')), [['TST-1', FileType.Directory]]);
    assert.deepEqual(await files.readDirectory(folder('/TST-1')), [['prd.yaml', FileType.File]]);
    const { type, permissions } = await files.stat(folder('/TST-1'));
    assert.deepEqual([type, permissions], [FileType.Directory, FilePermission.Readonly]);
    for (const path of ['/TST-2', '/TST-1/none']) {
      await assert.rejects(files.readDirectory(folder(path)), isCode('FileNotFound'));
      await assert.rejects(files.stat(folder(path)), isCode('FileNotFound'));
    }
  });

  describe('when they are saved', () => {
    it('are edits of the version they were made from', async () => {
      stores();
      await files.readFile(prd);
      await files.writeFile(prd, bytes('epics: [1]\n'));
      const body = { artifact: 'prd', baseSha256: hash('a'), content: 'epics: [1]\n', surface: 'raw' };
      assert.deepEqual(place.sent, [['edit', body]]);
    });

    it('send nothing when nothing changed', async () => {
      await files.writeFile(prd, bytes('epics: []\n'));
      assert.deepEqual(place.sent, []);
    });

    it('are shown again when they were stored in another form', async () => {
      stores('epics: [1] # with an id\n');
      await files.readFile(prd);
      await files.writeFile(prd, bytes('epics: [1]\n'));
      await until(() => told.length > 0, 'the editor is told');
      assert.deepEqual(told, [[FileChangeType.Changed, '/TST-1/prd.yaml']]);
    });

    it('are kept in the editor with the words of who refused them', async () => {
      place.client.becomes = {
        state: 'refused',
        code: 'INVALID_ARTIFACT',
        message: 'The PRD is not valid: epics',
      };
      await assert.rejects(files.writeFile(prd, bytes('no\n')), fails(/The PRD is not valid: epics/));
      assert.deepEqual(logged, ['saving']);
      await assert.rejects(files.writeFile(prd, new Uint8Array([0xff])), fails(/UTF-8/));
    });

    it('replace a version that the person has not seen only when they say so', async () => {
      await files.readFile(prd);
      stored = { content: 'epics: {}\n', sha256: hash('c'), at: 3_000 };
      editor.will(person.presses(1));
      await assert.rejects(
        files.writeFile(prd, bytes('epics: [1]\n')),
        fails(/Canceled\. Your text is kept/),
      );
      assert.match(String(editor.ran.find(([command]) => command === 'vscode.diff')?.[1]), /version=2/);
      assert.deepEqual([place.sent, logged], [[], []]);
      stores();
      editor.will(person.presses(0));
      await files.writeFile(prd, bytes('epics: [1]\n'));
      assert.deepEqual(
        editor.shown.map(({ buttons }) => buttons),
        [
          ['Overwrite', 'Compare'],
          ['Overwrite', 'Compare'],
        ],
      );
      assert.equal((place.sent[0]?.[1] as { baseSha256: string }).baseSha256, hash('c'));
    });

    it('are asked about when they were approved, and never rewind planning without a person', async () => {
      place.become({ ticket: { status: 'WAITING_BEADS_APPROVAL' }, actions: ['edit'] });
      assert.equal(await isReadOnly(), false);
      ownWindow.saving.emit({ document: { uri: prd }, reason: TextDocumentSaveReason.AfterDelay });
      await assert.rejects(files.writeFile(prd, bytes('epics: [1]\n')), fails(/approved\. Save it manually/));
      ownWindow.saving.emit({ document: { uri: prd }, reason: TextDocumentSaveReason.Manual });
      editor.will('leave');
      await assert.rejects(files.writeFile(prd, bytes('epics: [1]\n')), fails(/Canceled/));
      assert.deepEqual(place.sent, []);
      const [asked] = editor.shown;
      assert.match(
        `${String(asked?.text)} ${String(asked?.detail)}`,
        /Save prd\.yaml of TST-1 and rewind planning\? \S/,
      );
      stores();
      editor.will(person.presses(0));
      await files.writeFile(prd, bytes('epics: [1]\n'));
      assert.equal(place.sent.length, 1);
    });
  });

  it('without a gate are edited while the ticket works or pauses, by a person’s command only', async () => {
    const coding = { status: 'CODING', hold: { kind: 'budget', since: 0, detail: '' } } as const;
    place.become({ ticket: coding });
    stored = undefined;
    const limits = uriOf('ticket_limits');
    const before = text(await files.readFile(limits));
    assert.equal(await isReadOnly(limits), false);
    const after = before.replace('maxIterations: 5', 'maxIterations: 7');
    ownWindow.saving.emit({ document: { uri: limits }, reason: TextDocumentSaveReason.AfterDelay });
    await assert.rejects(files.writeFile(limits, bytes(after)), fails(/at once\. Save it manually/));
    assert.deepEqual(place.sent, []);
    ownWindow.saving.emit({ document: { uri: limits }, reason: TextDocumentSaveReason.Manual });
    const { act } = place.client;
    place.client.act = (...sent) => {
      place.become({ ticket: { ...coding, limits: Limits.parse({ maxIterations: 7 }) } });
      return act(...sent);
    };
    await files.writeFile(limits, bytes(after));
    const body = { artifact: 'ticket_limits', baseSha256: sha256(before), content: after, reason: '' };
    assert.deepEqual([text(await files.readFile(limits)), place.sent], [after, [['edit_document', body]]]);
    place.become({ ticket: { status: 'COMPLETED' } });
    assert.equal(await isReadOnly(limits), true);
    place.become({ ticket: { status: 'DRAFT', limits: null, settings: null } });
    await assert.rejects(files.readFile(limits), isCode('FileNotFound'));
  });

  describe('that are open', () => {
    it('are told of when they changed, are gone, and are there again, and not when nothing did', async () => {
      open(false);
      await files.readFile(prd);
      const next = async (): Promise<readonly (readonly [number, string])[]> => {
        place.client.change('TST-1');
        await until(() => told.length > 0, 'the editor is told');
        return told.splice(0);
      };
      stored = { content: 'epics: [2]\n', sha256: hash('b'), at: 2_000 };
      assert.deepEqual(await next(), [[FileChangeType.Changed, '/TST-1/prd.yaml']]);
      const before = stored;
      stored = undefined;
      assert.deepEqual(await next(), [[FileChangeType.Deleted, '/TST-1/prd.yaml']]);
      stored = before;
      assert.deepEqual(await next(), [[FileChangeType.Created, '/TST-1/prd.yaml']]);
    });

    it('are known to the menus while their gate asks about them', async () => {
      const atGate = (): unknown =>
        editor.ran.findLast(([, key]) => key === 'beadsmith.documentsAtGate')?.[2];
      await files.readFile(prd);
      assert.deepEqual(atGate(), [prd.toString()]);
      await files.readFile(uriOf('prd', 1));
      assert.deepEqual(atGate(), [prd.toString()]);
      ownWindow.closed.emit({ uri: prd });
      assert.deepEqual(atGate(), []);
      await files.readFile(prd);
      place.become({ ticket: { status: 'WAITING_BEADS_APPROVAL' }, actions: ['edit'] });
      await files.readFile(prd);
      assert.deepEqual(atGate(), []);
    });

    it('are not taken for seen while the person has a text of their own, until that is discarded', async () => {
      await files.readFile(prd);
      open(true);
      stored = { content: 'epics: {}\n', sha256: hash('b'), at: 2_000 };
      await files.readFile(prd);
      editor.will('leave');
      await assert.rejects(files.writeFile(prd, bytes('epics: [1]\n')), fails(/Canceled/));
      const document = { uri: prd, isDirty: false, getText: () => 'epics: {}\n' };
      ownWindow.edited.emit({ document });
      stores();
      await files.writeFile(prd, bytes('epics: [1]\n'));
      assert.equal(place.sent.length, 1);
    });
  });
});

describe('childrenOf', () => {
  const files = ['prd.yaml', 'bead-diff/one.diff', 'bead-diff/two.diff'];

  it('lists what lies directly in a folder', () => {
    assert.deepEqual(
      [...(childrenOf(files, '') ?? [])],
      [
        ['prd.yaml', 'file'],
        ['bead-diff', 'folder'],
      ],
    );
    assert.deepEqual(
      [...(childrenOf(files, 'bead-diff') ?? [])].map(([name]) => name),
      ['one.diff', 'two.diff'],
    );
  });

  it('knows no folder without files', () => {
    assert.equal(childrenOf(files, 'bead'), undefined);
    assert.equal(childrenOf(files, 'prd.yaml'), undefined);
  });
});
