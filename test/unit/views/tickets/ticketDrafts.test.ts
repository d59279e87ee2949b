import assert from 'node:assert/strict';
import type { TextDocument, Uri as EditorUri } from 'vscode';
import { TicketDraftFiles } from '../../../../src/host/files/ticketDraftFiles.ts';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import { ticketTextHash } from '../../../../src/domain/ticket/ticket.ts';
import type { OfferedModel } from '../../../../src/domain/usage/offeredModel.ts';
import type { OpenRepository } from '../../../../src/views/shared/repositories.ts';
import { type Drafts, withChanges } from '../../../../src/views/pages/pageDrafts.ts';
import { DraftCodeLenses } from '../../../../src/views/tickets/draft/draftCodeLenses.ts';
import { draftUri, parseDraftAddress } from '../../../../src/views/tickets/draft/draftDocument.ts';
import { KeptDrafts } from '../../../../src/views/tickets/draft/keptDrafts.ts';
import { TicketDrafts } from '../../../../src/views/tickets/draft/ticketDrafts.ts';
import { editor, ownWindow, person, Uri, window, workspace } from '../../../support/fakes/fakeEditor.ts';
import { FakeDocument } from '../../../support/fakes/fakeDocument.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const offered = (id: string): OfferedModel => ({ id, provider: 'Demo', usesTools: true });

describe('a new ticket is a document', () => {
  let place: FakePlace;
  let repositories: FakeRepositories;
  let drafts: TicketDrafts;
  let files: TicketDraftFiles;
  let codeLenses: DraftCodeLenses;
  let created: unknown[];
  let pages: unknown[];
  let stored: Map<string, Drafts>;
  const { openTextDocument } = workspace;
  const settled = { mainImplementer: 'demo/main', councilMembers: ['demo/second'], settings: {}, limits: {} };

  function begin(over: Partial<OpenRepository> = {}): void {
    place = new FakePlace(
      { ticket: { status: 'DRAFT' }, actions: ['start', 'edit'] },
      { startSettings: () => settled, ...over },
    );
    Object.assign(place.client, {
      create: (input: Pick<Ticket, 'title' | 'description'>): Promise<Ticket> => {
        created.push(input);
        Object.assign(place.detail.ticket, input);
        return Promise.resolve({ ...place.detail.ticket, id: 'TST-7' });
      },
    });
    repositories = new FakeRepositories();
    repositories.entries = [
      { kind: 'open', root: place.repository.root, name: 'sample', repository: place.repository },
    ];
    const kept = new KeptDrafts({
      read: async (key) => stored.get(JSON.stringify(key)) ?? {},
      change: async (key, changes) => {
        const name = JSON.stringify(key);
        stored.set(name, withChanges(stored.get(name) ?? {}, changes));
      },
    });
    files = new TicketDraftFiles(repositories, kept, () => undefined);
    drafts = new TicketDrafts(repositories, kept, ({ ticket }) => pages.push([ticket, ...tabs()]));
    codeLenses = new DraftCodeLenses(repositories, drafts);
    workspace.openTextDocument = (uri) => FakeDocument.open(uri as unknown as EditorUri, files);
  }

  function end(): void {
    for (const part of [codeLenses, drafts, files]) part.dispose();
  }

  beforeEach(() => {
    created = [];
    pages = [];
    stored = new Map();
    begin();
  });
  afterEach(() => {
    end();
    workspace.openTextDocument = openTextDocument;
  });

  const active = (): FakeDocument => window.activeTextEditor?.document as FakeDocument;
  const tabs = (): readonly string[] =>
    window.tabGroups.all.flatMap((group) => group.tabs.map(({ input }) => (input as { uri: Uri }).uri.path));
  const problems = (): unknown[] =>
    (
      (ownWindow.registered.get('problems beadsmith-draft') as Map<string, object[]>).get(
        active().uri.toString(),
      ) ?? []
    ).map((found) => (found as { message: string }).message);
  const shownAbove = async (): Promise<readonly string[]> =>
    (await codeLenses.provideCodeLenses(active() as unknown as TextDocument)).map(
      ({ command }) => command?.title ?? '',
    );
  const started = (): { readonly depth: string; readonly baseBranch?: string } => {
    assert.deepEqual(
      place.sent.map(([kind]) => kind),
      ['start'],
    );
    const { settings, ...rest } = place.sent[0]?.[1] as { settings: { depth: string }; baseBranch?: string };
    return { depth: settings.depth, ...rest };
  };

  it('opens with an empty heading, which is no problem yet, and asks nothing', async () => {
    let asked = 0;
    const models = () => {
      asked += 1;
      return Promise.reject(new Error('OpenCode is not installed'));
    };
    await drafts.open({ ...place.repository, models });
    assert.match(active().getText(), /^# \n\n<!-- Describe .* -->\n$/);
    assert.deepEqual(
      [active().uri.path, asked, editor.shown, problems()],
      ['/new-1/New Ticket.md', 1, [], []],
    );
    assert.deepEqual(created, []);
  });

  it('starts as shown above its title, files title and description once, and gives its place to the ticket’s page', async () => {
    await drafts.open(place.repository);
    active().write('# Fix a typo\n\n\u001B[31mIn the README.\u001B[0m\n');
    // In a narrow editor the first ones are seen.
    assert.deepEqual(await shownAbove(), [
      '$(play) Start',
      '$(zap) Quick (suggested) · 5–40 calls',
      '$(git-branch) main',
      '$(hubot) demo/main',
      '$(save) Save as Draft',
    ]);
    await Promise.all([drafts.start(undefined), drafts.start(undefined)]);
    assert.deepEqual(created, [{ title: 'Fix a typo', description: 'In the README.' }]);
    assert.deepEqual([started().depth, started().baseBranch], ['quick', 'main']);
    assert.deepEqual([tabs(), editor.shown], [[], []]);
    assert.deepEqual(pages, [['TST-7', '/new-1/New Ticket.md']], 'before its tab is closed');
    assert.ok([...stored.values()].every((kept) => Object.keys(kept).length === 0));
  });

  it('takes what is chosen above the title, also after a reload of the window', async () => {
    end();
    begin({
      branches: () => Promise.resolve({ all: ['main', 'next'], usual: 'main', current: 'next' }),
      models: () => Promise.resolve([offered('demo/main'), offered('demo/other')]),
    });
    await drafts.open(place.repository);
    active().write('# Fix a typo\n');
    assert.equal((await shownAbove())[2], 'Choose Base Branch…');
    editor.will(
      person.picks('full'),
      person.picks('next'),
      person.picks('demo/other'),
      person.picks('demo/main'),
    );
    await drafts.chooseDepth(active().uri);
    await drafts.chooseBase(active().uri);
    await drafts.chooseModels(active().uri);
    assert.deepEqual(
      editor.shown[0]?.items.map(({ value }) => value),
      ['quick', 'full', 'solo'],
    );
    const again = new DraftCodeLenses(repositories, drafts);
    const titles = (await again.provideCodeLenses(active() as unknown as TextDocument)).map(
      ({ command }) => command?.title,
    );
    again.dispose();
    assert.deepEqual(titles.slice(1, 4), [
      '$(organization) In council · 25–200 calls',
      '$(git-branch) next',
      '$(hubot) demo/other and 1 more',
    ]);
    await drafts.start(undefined);
    assert.deepEqual([started().depth, started().baseBranch], ['full', 'next']);
  });

  it('says at its line what is missing once there is a text, or a start, and files nothing', async () => {
    await drafts.open(place.repository);
    await drafts.start(undefined);
    assert.deepEqual([problems(), created], [['A ticket needs a title.'], []]);
    active().write(`# ${'x'.repeat(201)}\n`);
    assert.deepEqual(problems(), ['A title has 200 characters at most.']);
    await drafts.save(undefined);
    assert.deepEqual(created, []);
    active().write('# Export\n');
    assert.deepEqual(problems(), []);
    await drafts.save(undefined);
    assert.deepEqual([created, place.sent], [[{ title: 'Export', description: '' }], []]);
    assert.match(editor.said.at(-1) ?? '', /TST-7 created as a draft/);
  });

  it('keeps saved text outside of the repository, and opens it again when no editor shows it', async () => {
    await drafts.open(place.repository);
    const first = active();
    first.write('# Half of it\n');
    await drafts.open(place.repository);
    assert.equal(active().uri.path, '/new-2/New Ticket 2.md');
    active().close();
    assert.equal(await first.save(), true);
    first.close();
    await drafts.open(place.repository, { title: 'Fix', description: 'src/greet.ts:3' });
    assert.deepEqual(
      [active().uri.path, active().getText(), active().isDirty],
      ['/new-2/New Ticket 2.md', '# Fix\n\nsrc/greet.ts:3\n', true],
    );
    await drafts.open(place.repository);
    assert.deepEqual([active().uri.path, active().getText()], ['/new-1/New Ticket.md', '# Half of it\n']);
    active().write('');
    assert.equal(await active().save(), true);
    active().close();
    await drafts.open(place.repository);
    assert.match(active().getText(), /^# \n\n<!--/);
    assert.deepEqual(created, []);
  });

  it('becomes the document of its draft when the start is left or refused', async () => {
    end();
    begin({
      startSettings: () => ({ settings: {}, limits: {} }),
      models: () => Promise.resolve([offered('demo/main')]),
    });
    await drafts.open(place.repository);
    active().write('# Fix a typo\n');
    editor.will('leave');
    await drafts.start(undefined);
    assert.deepEqual([created.length, place.sent, tabs()], [1, [], ['/TST-7/TST-7.md']]);
    place.client.act = () => Promise.reject(new Error('refused'));
    editor.will(person.picks('demo/main'));
    await assert.rejects(drafts.start(undefined), /refused/);
    assert.deepEqual([created.length, tabs(), pages], [1, ['/TST-7/TST-7.md'], []]);
  });

  it('edits a draft, its title included, on the version that was read', async () => {
    await drafts.openTicket(place.repository, 'TST-1');
    assert.equal(active().getText(), '# Greet people\n\nBy name.\n');
    assert.equal((await shownAbove())[0], '$(play) Start');
    active().write('#\n\nBy name.\n');
    assert.equal(await active().save(), false);
    const before = ticketTextHash(place.detail.ticket);
    active().write('# Greet everybody\n\nBy name.\n');
    assert.equal(await active().save(), true);
    const content = JSON.stringify({ title: 'Greet everybody', description: 'By name.' });
    assert.deepEqual(place.sent, [
      ['edit', { artifact: 'ticket', baseSha256: before, content, surface: 'structured' }],
    ]);
  });

  it('replaces a change from elsewhere only when the person saves again', async () => {
    await drafts.openTicket(place.repository, 'TST-1');
    place.become({ ticket: { status: 'DRAFT', title: 'Greet nobody' }, actions: ['start', 'edit'] });
    active().write('# Greet everybody\n');
    assert.deepEqual([await active().save(), place.sent.length], [false, 0]);
    assert.deepEqual([await active().save(), place.sent.length], [true, 1]);
  });

  it('can only be read once the ticket has started, and offers its page', async () => {
    await drafts.openTicket(place.repository, 'TST-1');
    place.become({ ticket: { status: 'CODING' }, actions: ['cancel'] });
    const { permissions } = await files.stat(active().uri as unknown as EditorUri);
    assert.equal(permissions, 1);
    assert.deepEqual(await shownAbove(), ['TST-1 isn’t a draft anymore']);
    active().write('# Too late\n');
    assert.deepEqual([await active().save(), place.sent], [false, []]);
  });

  it('offers nothing in Restricted Mode, and for another document', async () => {
    await drafts.open(place.repository);
    repositories.trusted = false;
    assert.deepEqual(await shownAbove(), []);
    await assert.rejects(drafts.start(Uri.file('/sample/a.md')), { code: 'INVALID_INPUT' });
  });

  it('has addresses that are read with care', () => {
    const { scheme, authority } = draftUri('/sample', { number: 1 });
    const read = (path: string, over: object = {}): unknown =>
      parseDraftAddress({ scheme, authority, path, ...over })?.of;
    assert.deepEqual(read('/new-12/New Ticket 12.md'), { number: 12 });
    assert.deepEqual(read('/TST-1/TST-1.md'), { ticket: 'TST-1' });
    for (const path of ['/new-0/a.md', '/new-/a.md', '/../a.md', '/TST-1', '/TST-1/a/b.md', ''])
      assert.equal(read(path), undefined, path);
    for (const over of [{ scheme: 'file' }, { authority: '' }])
      assert.equal(read('/TST-1/TST-1.md', over), undefined);
  });
});
