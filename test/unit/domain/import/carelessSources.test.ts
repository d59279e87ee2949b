import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readImportFiles } from '../../../../src/adapters/files/importFiles.ts';
import { importedOf, type ImportedSource } from '../../../../src/domain/import/imported.ts';
import { importedText } from '../../../../src/domain/import/importedText.ts';
import { importEdit, planImport } from '../../../../src/domain/import/importPlan.ts';
import { readSource } from '../../../../src/domain/import/readSource.ts';
import { ticketTextHash } from '../../../../src/domain/ticket/ticket.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

const bd = (issues: readonly object[]): ImportedSource =>
  readSource(
    [{ path: '.beads/issues.jsonl', text: issues.map((one) => JSON.stringify(one)).join('\n') }],
    false,
  );
const below = (id: string, parent: string): object => ({
  id,
  title: id,
  dependencies: [{ depends_on_id: parent, type: 'parent-child' }],
});

describe('careless sources', () => {
  const newFolder = tempFolders();

  it('are read in UTF-16, as shells of Windows write it, and with a byte order mark', async () => {
    const folder = await newFolder();
    const text = '\uFEFF{"id":"bd-1","title":"Gr\u00FC\u00DFen"}\r\n';
    await mkdir(join(folder, '.beads'));
    for (const [name, bytes] of [
      ['a', Buffer.from(text, 'utf16le')],
      ['b', Buffer.from(text, 'utf16le').swap16()],
      ['c', Buffer.from(text)],
    ] as const) {
      await writeFile(join(folder, '.beads', `${name}.jsonl`), bytes);
      const { files, left } = await readImportFiles(join(folder, '.beads', `${name}.jsonl`), folder);
      const { tickets } = readSource(files, true);
      assert.deepEqual([left, tickets.map(({ title }) => title)], [[], ['Gr\u00FC\u00DFen']], name);
    }
  });

  it('have the same text again: line ends of Windows, and characters that a cut or a program halved', () => {
    const long = `${'x'.repeat(198)}\u{1F600}${'y'.repeat(10)}`;
    const imported = importedOf({
      format: 'bd',
      path: 'x',
      title: long,
      description: 'One\r\nTwo\rThree \uD800',
    });
    const { title, description } = importedText(imported);
    assert.match(description, /^x{198}.*\n\nOne\nTwo\nThree \uFFFD\n/su);
    assert.equal(Buffer.from(title + description).toString(), title + description);
  });

  it('have tasks in circles: one ticket for each, named by its first', () => {
    const { tickets } = bd([below('b', 'c'), below('c', 'b'), below('a', 'c'), below('self', 'self')]);
    assert.deepEqual(
      tickets.map(({ id, tasks }) => [id, tasks.map((task) => task.id)]),
      [
        ['b', ['c', 'a']],
        ['self', []],
      ],
    );
  });

  it('have work below each other thousands of times, and a line that is long', () => {
    const started = process.cpuUsage();
    const deep = Array.from({ length: 20_000 }, (_, n) => below(String(n), String(n + 1)));
    const { tickets } = bd([{ id: 'long', title: 'x'.repeat(300_000) }, ...deep]);
    assert.deepEqual(
      tickets.map(({ id, tasks }) => [id, tasks.length]),
      [
        ['long', 0],
        ['19999', 19_999],
      ],
    );
    assert.ok(process.cpuUsage(started).user < 2_000_000);
  });

  it('have tens of thousands of criteria, tasks and dependencies, and are read in no time', () => {
    const many = 30_000;
    const lines = (line: (n: number) => string): string =>
      Array.from({ length: many }, (_, n) => line(n)).join('\n');
    const id = (n: number): string => `T${String(n).padStart(5, '0')}`;
    const ids = Array.from({ length: 4_000 }, (_, n) => String(n));
    const waves = JSON.stringify({ waves: Array.from({ length: 20 }, () => ({ tasks: ids })) });
    const started = process.cpuUsage();
    const { tickets } = readSource(
      [
        {
          path: 'backlog/a.md',
          text: `---\nid: a\ntitle: A\nstatus: To Do\n---\n## Acceptance Criteria\n${lines((n) => `- [ ] ${String(n)}`)}`,
        },
        {
          path: 'specs/a/tasks.md',
          text: `${lines((n) => `- [${n % 2 === 0 ? 'x' : ' '}] ${id(n)} x\n  after ${id(n === 0 ? 0 : n - 1)}`)}\n\n${lines((n) => `${id(n)} depends on ${id(0)}`)}`,
        },
        { path: 'specs/c/tasks.md', text: '\n'.repeat(many) },
        {
          path: '.kiro/specs/c/tasks.md',
          text: `# x${' '.repeat(many)}y\n- [ ] 1. x\n\n\`\`\`json\n${'"waves"'.repeat(many)}`,
        },
        { path: '.kiro/specs/d/tasks.md', text: `- [ ] 1. x\n  ${'_Requirements: '.repeat(many)}` },
        {
          path: '.kiro/specs/b/tasks.md',
          text: `${ids.map((one) => `- [ ] ${one}. x`).join('\n')}\n\n\`\`\`json\n${waves}\n\`\`\``,
        },
      ],
      false,
    );
    assert.deepEqual(
      tickets.map(({ format, tasks }) => [format, tasks.length]),
      [
        ['backlog', 0],
        ['spec-kit', many],
        ['kiro', 1],
        ['kiro', 1],
        ['kiro', 1_000],
      ],
    );
    tickets.forEach(importedText);
    assert.ok(process.cpuUsage(started).user < 2_500_000, String(process.cpuUsage(started).user));
  });

  it('name thousands of ranges and dependencies in a line, and are read in no time', () => {
    const started = process.cpuUsage();
    const tasks = Array.from({ length: 5_000 }, (_, n) => `- [ ] T${String(n).padStart(5, '0')} x`);
    const range = 'T00000-T04999 blocks T00000-T04999, ';
    const notes = Array.from({ length: 500 }, () => range.repeat(100));
    const spaces = `- [ ] T09999 x after T00001${' '.repeat(4_900)}y after T00002`;
    const text = [...tasks, spaces, '', ...notes].join('\n');
    const { tickets } = readSource([{ path: 'specs/a/tasks.md', text }], false);
    assert.equal(tickets[0]?.tasks.length, 5_001);
    assert.deepEqual(tickets[0].tasks.at(-1)?.dependsOn, ['T00001', 'T00002']);
    assert.ok(process.cpuUsage(started).user < 2_500_000, String(process.cpuUsage(started).user));
  });

  it('have spaces of thousands in the middle of a line, and are read in no time', () => {
    const started = process.cpuUsage();
    const wide = (line: string): string => `${line}${' '.repeat(4_800)}x\n`.repeat(100);
    const files = [
      ['.kiro/specs/a/tasks.md', `- [ ] 1. x\n  ${wide('_Requirements:')}`],
      ['.kiro/specs/b/tasks.md', `- [ ] 1. x\n  ${wide('**Validates:')}`],
      ['.kiro/specs/c/tasks.md', `- [ ] 1. x\n  ${wide('_a:')}`],
      ['specs/a/spec.md', wide('- **FR-001** x')],
      ['specs/b/spec.md', wide('| FR-001 | x')],
    ] as const;
    for (const [path, text] of files)
      assert.equal(readSource([{ path, text }], false).tickets.length, 1, path);
    readSource([{ path: 'a.md', text: wide('**1.1**') }], true);
    assert.ok(process.cpuUsage(started).user < 2_000_000, String(process.cpuUsage(started).user));
  });

  it('are no open work once all tasks of their folder are done', () => {
    for (const path of ['specs/a', '.kiro/specs/a']) {
      const text = '- [x] T001 Store\n- [x] 1. Store\n';
      const { tickets, done } = readSource([{ path: `${path}/tasks.md`, text }], false);
      assert.deepEqual([tickets, done], [[], 1], path);
    }
  });

  it('update a draft by the version that was compared, and no other', () => {
    const imported = importedOf({ format: 'bd', path: 'x', id: 'bd-1', title: 'Bill', description: 'Two' });
    const present = { id: 'TST-1', status: 'DRAFT', title: 'Bill', description: 'One' };
    const planned = planImport(imported, present);
    assert.deepEqual(importEdit(planned, present)?.baseSha256, ticketTextHash(present));
    assert.equal(importEdit(planned, { ...present, description: 'Mine' }), undefined);
    assert.equal(importEdit(planned, { ...present, status: 'CODING' }), undefined);
  });
});
