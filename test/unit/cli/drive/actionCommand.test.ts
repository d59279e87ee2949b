import assert from 'node:assert/strict';
import { formCommands } from '../../../../src/cli/commandTable.ts';
import { type FormAction, formOf } from '../../../../src/domain/workflow/forms.ts';
import { CommandBench } from '../../../support/commandBench.ts';

describe('a command that is no more than the form of an action', () => {
  for (const { name, options } of formCommands) {
    const action = name.replaceAll('-', '_') as FormAction;
    const given = Object.entries(formOf(action).fields).map(([field, row]) => {
      const { kind } = row;
      const isNeeded = kind !== 'model' && 'needed' in row && row.needed === 'always';
      if (kind === 'model') {
        assert.ok(options[row.option], row.option);
        const value = row.many ? ['a/b', 'c/d'] : 'a/b';
        const words = [value].flat().flatMap((one) => [`--${row.option}`, one]);
        return { words, body: [field, value] as const, isNeeded };
      }
      const option = field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      assert.ok(options[option], option);
      if (kind === 'choice') {
        const [value = ''] = Object.keys(row.choices);
        return { words: [`--${option}`, value], body: [field, value] as const, isNeeded };
      }
      return kind === 'text'
        ? { words: [`--${option}`, 'Because.'], body: [field, 'Because.'] as const, isNeeded }
        : { words: [`--${option}`], body: [field, true] as const, isNeeded };
    });

    it(`sends what its options say (${name})`, async () => {
      const bench = new CommandBench();
      await bench.json(name, 'TST-1', ...given.flatMap(({ words }) => words));
      assert.deepEqual(bench.sent, [[action, Object.fromEntries(given.map(({ body }) => body))]]);
    });

    it(`leaves out what nobody said (${name})`, async () => {
      const bench = new CommandBench();
      const needed = given.filter(({ isNeeded }) => isNeeded);
      await bench.json(name, 'TST-1', ...needed.flatMap(({ words }) => words));
      const [[kind, body] = []] = bench.sent;
      assert.equal(kind, action);
      for (const [field, said] of Object.entries(body as object))
        if (needed.every(({ body: [one] }) => one !== field))
          assert.ok(said === '' || said === false, String(said));
    });
  }

  it('names no model with “none”', async () => {
    const bench = new CommandBench();
    await bench.json('change-models', 'TST-1', '--council', 'none', '--reviewer', 'none');
    assert.deepEqual(bench.sent, [['change_models', { councilMembers: [], reviewer: '' }]]);
  });
});
