import assert from 'node:assert/strict';
import { CommandBench, itRefuses } from '../../../support/commandBench.ts';

const dismissal = {
  number: 3,
  revision: 1,
  ticket: 'TST-1',
  finding: 'greet.1.1.1',
  category: 'naming',
  file: 'src/greet.ts',
  claim: 'The name is odd.',
  reason: 'It is a brand.',
  at: '2026-01-02T03:04:05.000Z',
};
const line = '3  TST-1, 2026-01-02, naming, src/greet.ts\n    The name is odd.\n    Dismissed: ';

function dismissed(types: CommandBench['types'] | 'nobody' = 'the word'): CommandBench {
  const bench = new CommandBench();
  bench.app.client.findings.stored = [dismissal];
  bench.types = types === 'nobody' ? undefined : types;
  return bench;
}
const stored = (bench: CommandBench) => bench.app.client.findings.stored;

describe('commands about dismissals', () => {
  it('list them', async () => {
    assert.equal((await new CommandBench().run('dismissals list')).out, 'Nothing was dismissed yet.\n');
    assert.equal((await dismissed().run('dismissals list')).out, `${line}It is a brand.\n`);
    const { all, end } = await dismissed().json('dismissals list');
    assert.deepEqual(all('dismissal'), [{ type: 'dismissal', state: 'remembered', ...dismissal }]);
    assert.deepEqual([end?.exit, end?.ticket], [0, null]);
  });

  it('change the reason of one, once a person confirmed it', async () => {
    const bench = dismissed();
    const { out } = await bench.run('dismissals edit 3 --reason', 'It is their name.');
    assert.equal(out, `${line}It is their name.\n`);
    assert.match(
      bench.questions[0] ?? '',
      /^3 {2}TST-1[^]*Dismissed: It is a brand\.\nNew reason: It is their name\.\nTo confirm, type \w+: $/,
    );
    assert.deepEqual(stored(bench), [{ ...dismissal, revision: 2, reason: 'It is their name.' }]);
    const { all, exit } = await dismissed().json('dismissals edit 3 --reason Other');
    assert.deepEqual(
      [exit, all('dismissal').map(({ state, reason }) => [state, reason])],
      [0, [['changed', 'Other']]],
    );
  });

  it('remove one, once a person confirmed it', async () => {
    const bench = dismissed();
    assert.equal((await bench.run('dismissals remove 3')).out, 'Removed dismissal 3.\n');
    assert.match(bench.questions[0] ?? '', /It will be removed\.\nTo confirm, type/);
    assert.deepEqual(stored(bench), []);
    const { all, exit } = await dismissed().json('dismissals remove 3');
    assert.deepEqual([exit, all('dismissal')], [0, [{ type: 'dismissal', state: 'removed', ...dismissal }]]);
  });

  const nobody = /This decision needs a person, and there is no terminal to ask one\./;
  const words = ['dismissals edit 3 --reason Other', 'dismissals remove 3'] as const;
  itRefuses(
    words.map((one) => [one, 6, nobody]),
    () => dismissed('nobody'),
  );
  itRefuses(
    words.map((one) => [one, 6, /The word wasn't repeated, so nothing was decided\./]),
    () => dismissed('something else'),
  );
  itRefuses(
    [
      ['dismissals edit 4 --reason Other', 2, /There is no dismissal 4\./],
      ['dismissals remove 4', 2, /There is no dismissal 4\./],
      ['dismissals edit 3', 2, /Say the new reason: --reason TEXT\./],
      [
        'dismissals edit first --reason x',
        2,
        /Name a dismissal by its number; "dismissals list" shows them\./,
      ],
      ['dismissals remove 0', 2, /Name a dismissal by its number/],
      ['dismissals remove', 2, /An argument is missing/],
    ],
    dismissed,
  );

  it('change nothing that was not confirmed', async () => {
    for (const types of ['nobody', 'something else'] as const)
      for (const one of words) {
        const bench = dismissed(types);
        await bench.run(one);
        assert.deepEqual(stored(bench), [dismissal]);
      }
  });
});
