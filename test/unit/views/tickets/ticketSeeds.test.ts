import assert from 'node:assert/strict';
import {
  fromFile,
  fromProblem,
  fromSelection,
  fromTodo,
} from '../../../../src/views/tickets/seedFromEditor.ts';
import { TicketInput } from '../../../../src/domain/ticket/ticket.ts';

const place = { path: 'src/sum.ts', line: 7 };

describe('what a new ticket begins with', () => {
  it('quotes a selection below its place, in a fence that nothing in it closes', () => {
    const { title, description } = fromSelection('const a = "```";', place);
    assert.equal(title, '');
    assert.equal(description, 'src/sum.ts:7\n\n````\nconst a = "```";\n````');
  });

  it('takes what a TODO or FIXME says as the title, in the comments of many languages', () => {
    const lines: readonly (readonly [string, string])[] = [
      ['  // TODO: add CSV export', 'add CSV export'],
      ['x = 1  # FIXME(ada): off by one', 'off by one'],
      ['/* TODO mend this */', 'mend this'],
      [' * TODO - say why', 'say why'],
      ['<!-- TODO: a heading -->', 'a heading'],
      ['-- FIXME an index', 'an index'],
    ];
    assert.deepEqual(
      lines.map(([line]) => fromTodo(line, place)?.title),
      lines.map(([, title]) => title),
    );
  });

  it('is nothing for a line without such a comment', () => {
    for (const line of ['const TODO = 1;', 'todo list', '// nothing to do', ''])
      assert.equal(fromTodo(line, place), undefined, line);
  });

  it('names a problem with who found it', () => {
    const seed = fromProblem(
      { message: 'Type error\nin detail', source: 'ts', code: '2322' },
      '  let a: number = "";',
      place,
    );
    assert.equal(seed.title, 'Type error in detail');
    assert.match(seed.description, /src\/sum\.ts:7[\s\S]*\(ts 2322\)[\s\S]*let a: number/);
  });

  it('takes a file of text whole: its heading is the title, else a line of it', () => {
    assert.deepEqual(fromFile('# Add CSV export\n\nFor the report.\n'), {
      title: 'Add CSV export',
      description: 'For the report.',
    });
    assert.deepEqual(fromFile('\u001B[31mError: no rows\u001B[0m\n  at sum.ts:7\n'), {
      title: 'Error: no rows',
      description: 'Error: no rows\n  at sum.ts:7',
    });
  });

  it('is always something that can be filed, whatever a file holds', () => {
    const hostile = `\u001B[2J${'x'.repeat(60_000)}\u0000`;
    const seeds = [
      fromSelection(hostile, { path: hostile.slice(0, 100), line: 1 }),
      fromTodo(`// TODO ${hostile}`, place),
      fromFile(hostile.replaceAll('\u0000', '')),
      fromProblem({ message: hostile.slice(0, 900), source: '', code: '' }, hostile, place),
    ];
    for (const seed of seeds) {
      const input = { title: seed?.title === '' ? 'A title' : seed?.title, description: seed?.description };
      assert.equal(TicketInput.safeParse(input).success, true, JSON.stringify(input).slice(0, 100));
    }
  });
});
