import assert from 'node:assert/strict';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';
import { FakeApp, promptsOf } from '../../../support/fakes/fakeApp.ts';

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

const having = (...entries: Parameters<typeof promptsOf>[1] & object): CommandBench =>
  new CommandBench({}, { app: new FakeApp({}, { ports: { prompts: promptsOf([], entries) } }) });

describe('personas', () => {
  it('lists those that ship and those of a person’s own', async () => {
    const { out, exit } = await having(winston, ada).run('personas --prompts own');
    assert.equal(
      out,
      '  winston: Winston, Architect: Structure.\n✓ ada: Ada, Architect: Structure.\nYour folder: /sample/own/personas\n',
    );
    assert.equal(exit, 0);
    const bench = having(winston, ada);
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
    const { out, exit } = await having(winston, broken).run('personas');
    assert.match(out, /^✗ bad: refused: \/own\/bad\.md: it has no front matter$/m);
    assert.equal(exit, 1);
    assert.deepEqual(
      (await having(broken).json('personas')).all('persona').map(({ state, problem }) => [state, problem]),
      [['refused', 'it has no front matter']],
    );
  });

  itRefuses([['personas winston', 2, /"winston" is one word too many\./]], () => having(winston));
});
