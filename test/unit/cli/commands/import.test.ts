import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readImportFiles } from '../../../../src/adapters/files/importFiles.ts';
import { importedOf, importKey } from '../../../../src/domain/import/imported.ts';
import { importedText } from '../../../../src/domain/import/importedText.ts';
import { lineDiff, planImport } from '../../../../src/domain/import/importPlan.ts';
import { readSource } from '../../../../src/domain/import/readSource.ts';
import { CommandBench } from '../../../support/commandBench.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('import', () => {
  const newFolder = tempFolders();

  async function source(): Promise<CommandBench> {
    const bench = new CommandBench();
    bench.cwd = await newFolder();
    await mkdir(join(bench.cwd, '.beads'));
    const issue = { title: 'Bill', status: 'open', priority: 0, acceptance_criteria: '- It is sent' };
    const lines = [JSON.stringify({ id: 'bd-1', ...issue }), '{"id":', '{"id":"bd-2","title":"Pay"}'];
    await writeFile(join(bench.cwd, '.beads/issues.jsonl'), lines.join('\n'));
    return bench;
  }

  it('shows what it would create, names bad lines, and stores nothing without a yes', async () => {
    const bench = await source();
    const { exit, out } = await bench.run('import --dry-run .beads');
    assert.equal(exit, 0);
    assert.match(out, /^\+ Bill \(bd bd-1: 1 requirements, 0 open tasks\)\n\+ Pay /);
    assert.match(out, /Not understood:\n {2}.*issues\.jsonl:2: not JSON/);
    assert.deepEqual([(await bench.run('import .beads')).exit, bench.created], [2, []]);
    bench.confirms = false;
    assert.equal((await bench.run('import .beads')).exit, 0);
    assert.deepEqual(bench.created, []);
  });

  it('creates a draft for each ticket, or for those that are named, with the key of its source', async () => {
    const bench = await source();
    await bench.run('import --yes --only bd-1 .beads');
    const [{ title, description = '', priority, key } = { title: '' }, ...others] = bench.created;
    assert.deepEqual([title, priority, others], ['Bill', 1, []]);
    assert.match(description, /- \*\*bd-1\.AC1\*\*: It is sent/);
    assert.match(key ?? '', /^import:bd:[0-9a-f]{64}$/);
    assert.equal((await bench.run('import --yes --only bd-7 .beads')).exit, 2);
    assert.equal((await bench.run('import https://example.org/issues/1')).exit, 2);
  });

  it('creates a draft for each TODO comment of the text files of a folder, if it is told so', async () => {
    const bench = await source();
    await mkdir(join(bench.cwd, 'src/node_modules'), { recursive: true });
    await writeFile(join(bench.cwd, 'src/cart.ts'), 'let sum = 0; // TODO(ada): round it\n');
    await writeFile(join(bench.cwd, 'src/pay.py'), '# FIXME: pay once\n');
    await writeFile(join(bench.cwd, 'src/node_modules/x.ts'), '// TODO: not ours\n');
    await writeFile(join(bench.cwd, 'src/logo.png'), Buffer.from([0x89, 0xff, 0xfe]));
    const { out } = await bench.run('import --todo --dry-run src');
    assert.match(out, /^\+ round it \(.*\n\+ pay once \(.*\n?$/);
    await bench.run('import --todo --yes src');
    assert.deepEqual(
      bench.created.map(({ description }) => /^\w+: .*?(src\/.*)/.exec(description ?? '')?.[1]),
      ['src/cart.ts:1', 'src/pay.py:1'],
    );
  });

  it('finds the ticket again: the same, changed with a difference, or started and left alone', () => {
    const imported = importedOf({ format: 'bd', path: 'x', id: 'bd-1', title: 'Bill', description: 'One' });
    const same = { id: 'TST-1', status: 'DRAFT', ...importedText(imported) };
    assert.equal(planImport(imported, same).state, 'same');
    const { state, diff } = planImport({ ...imported, description: 'Two' }, same);
    assert.deepEqual([state, diff], ['changed', ['-One', '+Two']]);
    assert.equal(planImport({ ...imported, title: 'Other' }, { ...same, status: 'CODING' }).state, 'started');
    assert.deepEqual(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c', 'd']), ['-b', '+x', '+d']);
    assert.notEqual(importKey(imported), importKey({ ...imported, id: 'bd-2' }));
  });

  it('follows no symbolic links, and refuses one that is named', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'specs'));
    await writeFile(join(folder, 'secret.md'), '# Secret');
    await symlink(join(folder, 'secret.md'), join(folder, 'specs/spec.md'));
    await symlink(folder, join(folder, 'specs/all'));
    const { files, left } = await readImportFiles(join(folder, 'specs'), folder);
    assert.deepEqual([files, left.map(({ where }) => where)], [[], ['specs/spec.md']]);
    await assert.rejects(readImportFiles(join(folder, 'specs/spec.md'), folder), { code: 'INVALID_INPUT' });
    await assert.rejects(readImportFiles(join(folder, 'none'), folder), { code: 'INVALID_INPUT' });
  });

  it('reads 5,000 issues in less than two seconds, and cuts what is too long', () => {
    const lines = Array.from({ length: 5_000 }, (_, n) => {
      const dependencies =
        n % 10 === 0 ? [] : [{ depends_on_id: `bd-${String(n - 1)}`, type: 'parent-child' }];
      return JSON.stringify({
        id: `bd-${String(n)}`,
        title: 'x',
        description: 'y'.repeat(500),
        dependencies,
      });
    });
    const started = process.cpuUsage();
    const { tickets } = readSource([{ path: '.beads/issues.jsonl', text: lines.join('\n') }], false);
    const texts = tickets.map(importedText);
    assert.equal(texts.length, 500);
    assert.ok(process.cpuUsage(started).user < 2_000_000);
    const long = importedOf({
      format: 'bd',
      path: 'x',
      title: 'y'.repeat(500),
      description: 'z'.repeat(2_000_000),
    });
    const { title, description } = importedText(long);
    assert.deepEqual([title.length, description.length], [200, 1_000_000]);
  });

  it('tells files of the same name apart, also outside of the repository', async () => {
    const folder = await newFolder();
    const paths = ['repository', 'a', 'b'].map((name) => join(folder, name));
    for (const path of paths) {
      await mkdir(path);
      await writeFile(join(path, 'todo.md'), '# Greet');
    }
    const [root = ''] = paths;
    const found = await Promise.all(paths.map((path) => readImportFiles(join(path, 'todo.md'), root)));
    assert.deepEqual(
      found.map(({ files }) => files[0]?.path),
      ['todo.md', '../a/todo.md', '../b/todo.md'],
    );
  });

  it('names a ticket by its file where the folder has no name, and reads any word as a priority', () => {
    const { tickets } = readSource([{ path: 'requirements.md', text: '### Requirement 1: Greet\n' }], true);
    assert.deepEqual(
      tickets.map((one) => [one.path, importedText(one).title]),
      [['.', 'requirements.md']],
    );
    const tasks = [{ id: 1, title: 'Greet', status: 'pending', priority: 'constructor' }];
    const read = readSource([{ path: 'tasks.json', text: JSON.stringify({ tasks }) }], true);
    assert.deepEqual([read.tickets[0]?.priority, read.notUnderstood], [3, []]);
  });

  it('reads the same heading and empty lines thousands of times in no time', () => {
    const text = `${'### Requirement 1: Greet\n'.repeat(20_000)}${' '.repeat(200_000)}\n`;
    const tasks = `- [ ] 1. Greet\n${'  By name.\n'.repeat(20_000)}`;
    const started = process.cpuUsage();
    const { tickets } = readSource(
      [
        { path: 'a/requirements.md', text },
        { path: 'a/tasks.md', text: tasks },
      ],
      false,
    );
    assert.equal(tickets[0]?.requirements.at(-1)?.id, '1-20000');
    assert.ok(process.cpuUsage(started).user < 2_000_000);
  });

  it('takes a Markdown file and TODO comments that are named', () => {
    const text = '# Greet\n\nBy name.\n\n- [x] Read\n- [ ] Write\n\n## Acceptance criteria\n\n- Says hello\n';
    const { tickets } = readSource([{ path: 'a.md', text }], true);
    assert.match(
      importedText(tickets[0] ?? assert.fail()).description,
      /R1\.AC1\*\*: Says hello[^]*\*\*2\*\*: Write/,
    );
    const code = 'const a = 1; // TODO(ada): remove this\n';
    const todos = readSource([{ path: 'src/a.ts', text: code }], true).tickets.map(({ title }) => title);
    assert.deepEqual(todos, ['remove this']);
  });
});
