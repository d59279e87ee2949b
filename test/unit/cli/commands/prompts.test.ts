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
    ['prompts coding', 2, /"coding" is one word too many\./],
  ]);
});
