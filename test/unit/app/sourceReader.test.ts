import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitAdapter } from '../../../src/adapters/git/gitAdapter.ts';
import { SourceReader } from '../../../src/app/tickets/sourceReader.ts';
import { importKey } from '../../../src/domain/import/imported.ts';
import { importedText } from '../../../src/domain/import/importedText.ts';
import { noForge } from '../../support/fakes/noForge.ts';
import { tempFolders, tempRepositories } from '../../support/git/tempRepository.ts';
import { ticketDetail } from '../../support/fakes/ticketPlace.ts';

describe('sources of tickets in a checkout', () => {
  const newFolder = tempFolders();
  const newRepository = tempRepositories();

  const files = {
    'specs/001-albums/spec.md': '# Feature Specification: Albums\n',
    'specs/001-albums/tasks.md': '- [ ] T001 Store\n- [x] T002 Name\n',
    'specs/002-old/spec.md': '# Old\n',
    'specs/002-old/tasks.md': '- [x] T001 Store\n',
    'packages/web/.kiro/specs/login/requirements.md': '### Requirement 1: Greet\n',
    '.taskmaster/tasks/tasks.json': JSON.stringify({
      master: { tasks: [1, 2].map((id) => ({ id, title: 'x', status: 'pending' })) },
    }),
    '.beads/issues.jsonl': '{"id":"bd-1","title":"Pay"}\n',
    '.vscode/tasks.json': '{"tasks":[{"id":1,"title":"No ticket"}]}',
    'node_modules/one/specs/a/spec.md': '# Of a package\n',
    'other/specs/readme.md': '# Not a specification\n',
  };

  async function checkout(written: Readonly<Record<string, string>> = files): Promise<string> {
    const root = await newFolder();
    for (const [path, text] of Object.entries(written)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    return root;
  }

  const ports = { forges: noForge, git: { ignored: () => Promise.resolve([]) } };
  const nobody = {
    ticketsOfKeys: () => Promise.resolve({}),
    ticket: () => Promise.reject(new Error('There is no ticket.')),
  };

  it('are found where formats have their files, with what is open in them', async () => {
    const found = await new SourceReader(nobody, await checkout(), ports).find();
    assert.deepEqual(
      found.map(({ path, format, tickets, tasks }) => [path, format, tickets, tasks]),
      [
        ['.beads', 'bd', 1, 0],
        ['.taskmaster', 'task-master', 2, 0],
        ['specs/001-albums', 'spec-kit', 1, 1],
        ['packages/web/.kiro/specs/login', 'kiro', 1, 0],
      ],
    );
  });

  it('aren’t looked for behind symbolic links or in large files, and a look can be canceled', async () => {
    const other = await checkout();
    const root = await checkout({
      '.beads/issues.jsonl': `${' '.repeat(9_000_000)}\n{"id":"1","title":"x"}`,
    });
    await symlink(join(other, 'specs'), join(root, 'specs'));
    const sources = new SourceReader(nobody, root, ports);
    assert.deepEqual(await sources.find(), []);
    const stop = AbortSignal.abort();
    await assert.rejects(sources.find({ signal: stop }), { name: 'AbortError' });
    await assert.rejects(sources.read(['.beads'], { signal: stop }), { name: 'AbortError' });
    await assert.rejects(sources.read(['none']), { code: 'INVALID_INPUT' });
  });

  it('are read as they were found, once, and compared with the tickets that they have', async () => {
    const root = await checkout();
    const [first] = (await new SourceReader(nobody, root, ports).read(['specs/001-albums'])).plan;
    const imported = first?.imported ?? assert.fail();
    const ticket = { ...importedText(imported), status: 'DRAFT' } as const;
    const client = {
      ticketsOfKeys: () => Promise.resolve({ [importKey(imported)]: 'TST-1' }),
      ticket: () => Promise.resolve(ticketDetail({ ticket })),
    };
    const told: number[] = [];
    const sources = new SourceReader(client, root, ports);
    const read = await sources.read(['specs', join(root, 'specs/001-albums')], {
      tell: (done) => told.push(done),
    });
    assert.deepEqual(
      read.plan.map(({ state, ticket: id }) => [state, id]),
      [['same', 'TST-1']],
    );
    assert.deepEqual([read.done, told], [1, [1, 2, 3, 4, 5, 6, 1]]);
  });

  it('leave out TODO comments of files that git ignores, also below the folder and by the person’s own rules', async () => {
    const todos = {
      'src/cart.ts': '// TODO: round it\n',
      'src/built/cart.ts': '// TODO: built\n',
      'src/pay/pay.gen.ts': '// TODO: generated\n',
      'src/pay/pay.ts': '// TODO: pay once\n',
      'src/pay/pay.ts.orig': '// TODO: merged\n',
      'src/kept.gen.ts': '// TODO: kept\n',
    };
    const rules = { '.gitignore': 'built/\n', 'src/pay/.gitignore': '*.gen.ts\n' };
    const home = await checkout({
      '.gitconfig': '[core]\n\texcludesFile = ~/ignored\n',
      ignored: '*.orig\n',
    });
    const repository = await newRepository();
    const { root } = repository;
    const environment = { PATH: process.env['PATH'], HOME: home };
    const git = new GitAdapter({ folder: root, environment });
    const sources = new SourceReader(nobody, root, { ...ports, git });
    const titles = async (...folders: readonly string[]) =>
      (await sources.read(folders, { comments: true })).plan.map(({ title }) => title);
    await repository.write({ ...todos, ...rules });
    assert.deepEqual(await titles('src'), ['round it', 'kept', 'pay once']);
    // A folder that is named itself, and one outside of a repository.
    assert.deepEqual(await titles('src/built'), ['built']);
    assert.equal((await titles(await checkout({ ...todos, ...rules }))).length, 6);
  });
});
