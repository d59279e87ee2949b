import assert from 'node:assert/strict';
import type { TextDocument } from 'vscode';
import { importedOf, type Imported } from '../../../../src/domain/import/imported.ts';
import { type PlannedImport, planImport } from '../../../../src/domain/import/importPlan.ts';
import { ticketTextHash } from '../../../../src/domain/ticket/ticket.ts';
import type { FoundSource, ReadImport } from '../../../../src/domain/import/ticketSources.ts';
import { ImportPreviews } from '../../../../src/views/tickets/import/importPreviews.ts';
import { previewText } from '../../../../src/views/tickets/import/previewText.ts';
import {
  cancelWork,
  editor,
  ownWindow,
  person,
  TabInputText,
  Uri,
  window,
} from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const imported = (id: string, changes: Partial<Imported> = {}): Imported =>
  importedOf({ format: 'bd', path: '.beads/issues.jsonl', id, title: `Bill ${id}`, priority: 1, ...changes });
const fresh = (id: string, changes: Partial<Imported> = {}): PlannedImport =>
  planImport(imported(id, changes), undefined);
const draft = { id: 'TST-1', status: 'DRAFT', title: 'Bill 1', description: 'By hand.' } as const;
const found = (path: string): FoundSource => ({ path, format: 'bd', tickets: 2, tasks: 3 });

describe('importing tickets in the editor', () => {
  const uri = Uri.from({ scheme: 'beadsmith-support', path: '/import.md' });
  const preview = { uri } as unknown as TextDocument;
  const texts: string[] = [];
  const pages: string[] = [];
  const reads: (readonly string[])[] = [];
  let trusted = true;
  let sources: readonly FoundSource[] = [];
  let read: ReadImport;
  let place: FakePlace;
  let created: Parameters<FakePlace['client']['create']>[0][];
  let imports: ImportPreviews;

  beforeEach(() => {
    for (const list of [texts, pages, reads]) list.length = 0;
    trusted = true;
    sources = [found('.beads'), found('tasks.json')];
    created = [];
    place = new FakePlace(
      { ticket: draft, actions: ['start', 'edit'] },
      {
        sources: {
          find: () => Promise.resolve(sources),
          read: (paths) => {
            reads.push(paths);
            return Promise.resolve(read);
          },
        },
      },
    );
    place.client.create = (input) => {
      created.push(input);
      return Promise.resolve({ ...place.detail.ticket, id: `TST-${String(created.length + 1)}` });
    };
    imports = new ImportPreviews(
      {
        get trusted() {
          return trusted;
        },
      },
      {
        show: (name, text) => {
          assert.equal(name, 'import.md');
          texts.push(text);
          window.tabGroups.all = [{ viewColumn: 1, tabs: [{ input: new TabInputText(uri) }] }];
          return Promise.resolve();
        },
      },
      ({ ticket }) => pages.push(ticket),
    );
  });
  afterEach(() => imports.dispose());

  const lenses = (): readonly unknown[] =>
    imports.provideCodeLenses(preview).map(({ command }) => command?.title);
  const shows = (...plan: readonly PlannedImport[]): void => {
    read = { plan, done: 0, notUnderstood: [] };
  };
  const picksAll = person.picksWhere(() => true);

  it('offers what was found, all of it, and files, folders, comments and issues elsewhere', async () => {
    sources = [
      { path: 'specs/$(x)', format: 'spec-kit', tickets: 1, tasks: 12 },
      { path: '.beads', format: 'bd', tickets: 1, tasks: 0 },
    ];
    editor.will('leave');
    await imports.preview(place.repository);
    assert.deepEqual(
      editor.shown.at(-1)?.items.map(({ label, description }) => [label, description]),
      [
        ['specs/$\u200B(x)', 'Spec Kit · 12 open tasks'],
        ['.beads', 'bd · 1 open ticket'],
        ['All of These', undefined],
        ['Elsewhere', undefined],
        ['$(file) File…', undefined],
        ['$(folder) Folder…', undefined],
        ['$(comment) TODO Comments of a Folder…', undefined],
        ['$(issues) GitHub Issue…', undefined],
      ],
    );
    assert.deepEqual([reads, texts], [[], []]);
  });

  it('shows a preview, stores nothing, and imports what it shows, once', async () => {
    shows(fresh('1'));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    assert.deepEqual([reads, created, place.sent], [[['.beads']], [], []]);
    assert.match(texts[0] ?? '', /^# Import Preview\n\n.*“Import 1 Ticket”/u);
    assert.deepEqual(lenses(), ['$(check) Import 1 Ticket', 'Cancel']);
    await Promise.all([
      imports.importShown(),
      assert.rejects(imports.importShown(), { code: 'INVALID_INPUT' }),
    ]);
    assert.deepEqual(
      created.map(({ title, priority, key }) => [title, priority, key]),
      [['Bill 1', 1, fresh('1').key]],
    );
    assert.deepEqual([pages, lenses(), window.tabGroups.all[0]?.tabs], [['TST-2'], [], []]);
  });

  it('takes an issue by its address or number, and the ticket remembers it', async () => {
    const origin = {
      kind: 'issue',
      host: 'github.com',
      owner: 'octo',
      name: 'sample',
      number: 12,
      url: 'https://github.com/octo/sample/issues/12',
    } as const;
    shows(fresh('#12', { format: 'github', origin }));
    const picksIssue = person.picksWhere(({ label }) => label.includes('GitHub Issue'));
    editor.will(picksIssue, person.writes('twelve'), person.writes(' octo/sample#12 '));
    await imports.preview(place.repository);
    assert.deepEqual(reads, [['octo/sample#12']]);
    await imports.importShown();
    assert.deepEqual(created[0]?.origin, origin);
    editor.will(picksIssue, 'leave');
    await imports.preview(place.repository);
    assert.equal(reads.length, 1);
  });

  it('asks which of several are wanted, and shows the list of tickets afterwards', async () => {
    shows(fresh('1'), fresh('2'), fresh('3'));
    editor.will(
      person.picksWhere(({ label }) => label === 'All of These'),
      person.picksWhere(({ label }) => label !== 'Bill 2'),
    );
    await imports.preview(place.repository);
    assert.deepEqual(reads, [['.beads', 'tasks.json']]);
    assert.ok(!(texts[0] ?? '').includes('Bill 2'));
    await imports.importShown();
    assert.deepEqual(
      created.map(({ title }) => title),
      ['Bill 1', 'Bill 3'],
    );
    assert.deepEqual(
      [pages, editor.ran, editor.said],
      [[], [['beadsmith.tickets.focus']], ['2 tickets imported.']],
    );
  });

  it('updates a draft by the version whose difference was shown', async () => {
    const planned = planImport(imported('1', { description: 'From the source.' }), draft);
    shows(planned, planImport(imported('2'), { ...draft, id: 'TST-2', status: 'CODING' }));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    assert.match(texts[0] ?? '', /## Update TST-1: Bill 1\n[^]*```diff\n-By hand\.\n\+From the source\./u);
    assert.match(texts[0] ?? '', /## Already started and not changed: TST-2 Bill 2\n/u);
    assert.deepEqual(lenses(), ['$(check) Update 1 Ticket', 'Cancel']);
    await imports.importShown();
    const { title, description } = planned;
    assert.deepEqual(place.sent, [
      [
        'edit',
        {
          artifact: 'ticket',
          baseSha256: ticketTextHash(draft),
          content: JSON.stringify({ title, description }),
          surface: 'raw',
        },
      ],
    ]);
    assert.deepEqual([created, pages], [[], ['TST-1']]);
  });

  it('leaves a draft alone that changed after the preview, and says so', async () => {
    shows(planImport(imported('1'), draft));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    place.become({ ticket: { ...draft, description: 'By hand, again.' }, actions: ['start', 'edit'] });
    await imports.importShown();
    assert.deepEqual([place.sent, pages], [[], []]);
    assert.equal(editor.shown.at(-1)?.text, 'TST-1 has changed in the meantime. Import again to see how.');
  });

  it('can be canceled between two tickets, and says how to continue', async () => {
    shows(...['1', '2', '3'].map((id) => fresh(id)));
    editor.will(
      person.picksWhere(({ label }) => label === '.beads'),
      picksAll,
    );
    await imports.preview(place.repository);
    const { create } = place.client;
    place.client.create = async (input) => {
      await Promise.resolve();
      cancelWork();
      return create(input);
    };
    await imports.importShown();
    assert.equal(created.length, 1);
    assert.equal(editor.shown.at(-1)?.text, '1 of 3 tickets imported. To continue, import again.');
  });

  it('can be tried again after an error, and is forgotten with its document', async () => {
    shows(fresh('1'));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    const { create } = place.client;
    place.client.create = () => Promise.reject(new Error('The disk is full'));
    await assert.rejects(imports.importShown(), /full/);
    assert.deepEqual(lenses(), ['$(check) Import 1 Ticket', 'Cancel']);
    place.client.create = create;
    ownWindow.closed.emit({ uri });
    assert.deepEqual(lenses(), []);
    await assert.rejects(imports.importShown(), { code: 'INVALID_INPUT' });
    assert.deepEqual(created, []);
  });

  it('offers nothing in Restricted Mode, in other documents, and where nothing is to be done', async () => {
    shows(planImport(imported('2'), { ...draft, id: 'TST-2', status: 'CODING' }));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    assert.match(texts[0] ?? '', /There’s nothing to import\./u);
    assert.deepEqual(lenses(), []);
    shows(fresh('1'));
    editor.will(person.picksWhere(({ label }) => label === '.beads'));
    await imports.preview(place.repository);
    assert.equal(lenses().length, 2);
    const other = { uri: Uri.from({ scheme: 'beadsmith-support', path: '/report.md' }) };
    assert.deepEqual(imports.provideCodeLenses(other as unknown as TextDocument), []);
    trusted = false;
    assert.deepEqual(lenses(), []);
  });
});

describe('the preview of an import', () => {
  it('has requirements with their ids, criteria word for word, tasks with what they wait for, and the rest', () => {
    const task = { text: '', done: false, dependsOn: [], requirements: [] };
    const planned = fresh('1', {
      requirements: [
        {
          id: 'R1',
          title: 'Pay',
          text: '',
          criteria: [{ id: 'R1.AC1', text: 'WHEN paid THEN “thanks”', met: false }],
        },
      ],
      tasks: [
        { ...task, id: 'T1', title: 'Store' },
        { ...task, id: 'T2', title: 'Show', dependsOn: ['T1'] },
        { ...task, id: 'T3', title: 'Name', done: true },
      ],
    });
    const text = previewText({
      plan: [planned],
      done: 2,
      notUnderstood: [{ where: 'a.jsonl:2', text: 'not JSON' }],
    });
    for (const part of [
      '## New: Bill 1\n\n- bd · `.beads/issues.jsonl` · `1`\n- Requirements: 1\n- Criteria: 1\n',
      '- Open tasks, as drafts of beads: 2\n- Dependencies: 1\n- Done tasks, left out: 1\n',
      '**R1.AC1**: WHEN paid THEN “thanks”\n',
      '**T2**: Show [after T1]\n',
      'Done in the source and left out: 2\n',
      '## Not Understood\n\n- `a.jsonl:2`: `not JSON`\n',
    ])
      assert.ok(text.includes(part), `${part}\n\n${text}`);
  });

  it('has no link, no HTML and no command from a file: they stand in code, or are escaped', () => {
    const link = '[run](command:workbench.action.quit) <img src=x> ```\n# No heading\n~~~';
    const hostile = fresh(`1\`](command:a)`, { title: link, description: link, path: '`](command:b)\u202E' });
    const text = previewText({
      plan: [hostile, planImport(imported('2', { description: link }), draft)],
      done: 0,
      notUnderstood: [{ where: link, text: link }],
    });
    let fence = '';
    for (const line of text.split('\n')) {
      const mark = /^`{3,}/u.exec(line)?.[0] ?? '';
      if (fence !== '') fence = line === fence ? '' : fence;
      else if (mark !== '') fence = mark;
      else {
        const rest = line.replaceAll(/(?<!\\)(`+)(?!`)(.*?[^`])\1(?!`)/gu, '');
        assert.ok(!/(?<!\\)\]\(|(?<!\\)</u.test(rest), line);
        assert.ok(!line.startsWith('# No'), line);
      }
    }
    assert.equal(fence, '');
    assert.ok(!text.includes('\u202E'));
  });

  it('is cut where it would be too long to read', () => {
    const plan = Array.from({ length: 5_000 }, (_, n) =>
      fresh(String(n), { description: 'x'.repeat(1_000) }),
    );
    const notUnderstood = Array.from({ length: 2_000 }, (_, n) => ({ where: String(n), text: 'not JSON' }));
    const text = previewText({ plan, done: 0, notUnderstood });
    assert.ok(text.length < 3_000_000, String(text.length));
    assert.match(text, /Too long for this preview; it’s imported as a whole\./u);
    assert.match(text, /And 1500 more\n$/u);
  });
});
