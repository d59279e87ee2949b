import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { type Check, checked } from '../../../../src/protocol/checks.ts';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp, promptsOf } from '../../../support/fakes/fakeApp.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

describe('doctor', () => {
  async function* told(...checks: readonly Check[]): AsyncGenerator<Check, void, undefined> {
    yield* checks;
  }
  const git = checked('git', 'pass', 'GIT_READY', { version: '2.50' });
  const changed = checked('repository', 'warn', 'CHECKOUT_CHANGED', {
    root: '/sample',
    branch: 'main',
    count: 2,
  });
  const damaged = checked('journals', 'fail', 'JOURNAL_DAMAGED', { ticket: 'TST-1', seq: 3, backups: '/b' });
  const untrusted = checked('opencode', 'skip', 'UNTRUSTED');

  const doctor = (machine: readonly Check[], repository: readonly Check[]): CommandBench =>
    new CommandBench(
      {},
      { checkMachine: () => told(...machine), checkRepository: () => told(...repository) },
    );

  it('says of each check what was found and what to do', async () => {
    const bench = doctor([git, untrusted], [changed]);
    const { out, exit } = await bench.run('doctor');
    assert.equal(
      out,
      [
        '✓ git: git 2.50',
        '- opencode: Not checked: this would run a program, and the workspace isn’t trusted.',
        '    Trust the workspace, then check again.',
        '! repository: /sample, on main, with 2 uncommitted changes',
        '    Commit the changes that tickets should see. Beadsmith never changes your checkout.',
        '',
      ].join('\n'),
    );
    assert.deepEqual([exit, bench.opened.map(({ drive }) => drive), bench.app.disposed], [0, [false], 1]);
    const { all, end } = await doctor([git], [changed]).json('doctor');
    assert.deepEqual(
      all('check').map(({ name, result, message }) => [name, result, message]),
      [
        ['git', 'pass', 'git 2.50'],
        ['repository', 'warn', '/sample, on main, with 2 uncommitted changes'],
      ],
    );
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });

  it('fails when something fails', async () => {
    const { out, exit } = await doctor([git], [damaged]).run('doctor');
    assert.equal(exit, 1);
    assert.match(
      out,
      /✗ journals: The journal of TST-1 is damaged at entry 3\.\n {4}Restore a backup: "beadsmith restore" lists those in \/b\.\n$/,
    );
  });

  it('says why the repository can’t be opened, after what it found of the machine', async () => {
    const bench = new CommandBench(
      {},
      {
        checkMachine: () => told(git),
        openApp: () => Promise.reject(new BeadsmithError('NOT_A_REPOSITORY', { path: '/sample' })),
      },
    );
    const { all, exit } = await bench.json('doctor');
    assert.deepEqual(
      all('check').map(({ name, result }) => [name, result]),
      [
        ['git', 'pass'],
        ['repository', 'fail'],
      ],
    );
    assert.equal(exit, 1);
  });

  itRefuses([['doctor now', 2, /"now" is an unexpected argument\./]], () => doctor([], []));
});

const own = { name: 'coding', path: '/own/coding.md', sha256: 'c'.repeat(64), problem: '' };
const having = (...overrides: readonly (typeof own)[]): CommandBench =>
  new CommandBench({}, { app: new FakeApp({}, { ports: { prompts: promptsOf(overrides) } }) });

describe('prompts', () => {
  it('lists every prompt, and those that a person overrides', async () => {
    const bench = having(own);
    const { out, exit } = await bench.run('prompts --prompts own');
    assert.match(out, /^✓ coding: your own, cccccccccccc$/m);
    assert.match(out, /^ {2}prd-draft: \S/m);
    assert.match(out, /\nYour folder: \/sample\/own\n$/);
    assert.deepEqual([exit, bench.opened[0]?.drive, bench.app.disposed], [0, false, 1]);
    const { all, end } = await having(own).json('prompts');
    const found = new Map(
      all('prompt').map(({ name, state, path, sha256 }) => [name, [state, path, sha256]]),
    );
    assert.deepEqual(found.get('coding'), ['own', own.path, own.sha256]);
    assert.deepEqual(found.get('prd-draft'), ['built-in', null, null]);
    assert.equal(end?.exit, 0);
  });

  it('fails when one can’t be used, and says why', async () => {
    const refused = { ...own, problem: 'it has no front matter' };
    const { out, exit } = await having(refused).run('prompts');
    assert.match(out, /^✗ coding: refused: it has no front matter$/m);
    assert.equal(exit, 1);
    const { all } = await having({ ...refused, name: 'poem' }).json('prompts');
    assert.deepEqual(
      all('prompt').flatMap(({ name, state, problem }) => (state === 'refused' ? [[name, problem]] : [])),
      [['poem', 'it has no front matter']],
    );
  });

  const makeFolder = tempFolders();
  it('copies a prompt into the person’s folder, and never over one that is there', async () => {
    const bench = having();
    bench.cwd = await makeFolder();
    const file = join(bench.cwd, 'own/coding.md');
    assert.equal((await bench.run('prompts --override coding --prompts own')).out, `${file}\n`);
    assert.match(await readFile(file, 'utf8'), /^---\n/);
    await writeFile(file, 'mine');
    assert.equal((await bench.run('prompts --override coding --prompts own')).exit, 0);
    assert.equal(await readFile(file, 'utf8'), 'mine');
  });

  itRefuses([
    [
      'prompts --override poem',
      2,
      /The prompt "poem" can't be used: there is no prompt of this name that can be overridden/,
    ],
    ['prompts coding', 2, /"coding" is an unexpected argument\./],
  ]);
});

const persona = {
  id: 'winston',
  name: 'Winston',
  title: 'Architect',
  icon: '',
  focus: 'Structure.',
  style: 'Calm.',
  text: '',
};
const winston = { id: 'winston', path: '/shipped/winston.md', isOwn: false, persona, problem: '' };
const ada = {
  id: 'ada',
  path: '/own/ada.md',
  isOwn: true,
  persona: { ...persona, id: 'ada', name: 'Ada', model: 'a/b' },
  problem: '',
};
const broken = {
  id: 'bad',
  path: '/own/bad.md',
  isOwn: true,
  persona: undefined,
  problem: 'it has no front matter',
};

const withPersonas = (...entries: Parameters<typeof promptsOf>[1] & object): CommandBench =>
  new CommandBench({}, { app: new FakeApp({}, { ports: { prompts: promptsOf([], entries) } }) });

describe('personas', () => {
  it('lists those that ship and those of a person’s own', async () => {
    const { out, exit } = await withPersonas(winston, ada).run('personas --prompts own');
    assert.equal(
      out,
      '  winston: Winston, Architect: Structure.\n✓ ada: Ada, Architect: Structure.\nYour folder: /sample/own/personas\n',
    );
    assert.equal(exit, 0);
    const bench = withPersonas(winston, ada);
    const { all, end } = await bench.json('personas');
    assert.deepEqual(
      all('persona').map(({ id, state, model, parties }) => [id, state, model, parties]),
      [
        ['winston', 'built-in', null, ['kickoff', 'review', 'failure', 'retrospective']],
        ['ada', 'own', 'a/b', []],
      ],
    );
    assert.deepEqual([end?.exit, bench.opened[0]?.drive, bench.app.disposed], [0, false, 1]);
  });

  it('fails when one can’t be used, and says why', async () => {
    const { out, exit } = await withPersonas(winston, broken).run('personas');
    assert.match(out, /^✗ bad: refused: \/own\/bad\.md: it has no front matter$/m);
    assert.equal(exit, 1);
    assert.deepEqual(
      (await withPersonas(broken).json('personas'))
        .all('persona')
        .map(({ state, problem }) => [state, problem]),
      [['refused', 'it has no front matter']],
    );
  });

  itRefuses([['personas winston', 2, /"winston" is an unexpected argument\./]], () => withPersonas(winston));
});
