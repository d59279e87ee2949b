import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp, promptsOf } from '../../../support/fakes/fakeApp.ts';
import { tempFolders } from '../../../support/git/tempRepository.ts';

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
