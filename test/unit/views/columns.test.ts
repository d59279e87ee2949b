import assert from 'node:assert/strict';
import { columnsOf } from '../../../src/views/columns.ts';
import { ticketView } from '../../support/fakeClient.ts';

describe('columnsOf', () => {
  it('puts what needs a person first and what is over last, and leaves out what is empty', () => {
    const tickets = ['Done', 'To Do', 'Needs Input'].map((column, index) => ticketView({ id: `TST-${String(index + 1)}`, column }));
    assert.deepEqual(
      columnsOf(tickets).map(({ column }) => column),
      ['Needs Input', 'To Do', 'Done'],
    );
  });

  it('sorts by priority, then by the latest change', () => {
    const tickets = [
      ticketView({ id: 'TST-1', updatedAt: 1 }),
      ticketView({ id: 'TST-2', updatedAt: 2 }),
      ticketView({ id: 'TST-3', priority: 1 }),
    ];
    assert.deepEqual(
      columnsOf(tickets)[0]?.tickets.map(({ id }) => id),
      ['TST-3', 'TST-2', 'TST-1'],
    );
  });

  it('loses no ticket of a column it does not know', () => {
    assert.equal(columnsOf([ticketView({ column: 'Elsewhere' })])[0]?.column, 'Elsewhere');
  });
});
