import assert from 'node:assert/strict';
import { columnsOf } from '../../../../../src/views/tickets/tree/treeLayout.ts';
import {
  everything,
  type TicketFilter,
  type TicketOrder,
} from '../../../../../src/views/tickets/tree/ticketFilter.ts';
import { ticketView } from '../../../../support/fakes/fakeClient.ts';

const usual = { filter: everything, order: 'priority' } as const;

describe('columnsOf', () => {
  it('puts what needs a person first and what is over last, and leaves out what is empty', () => {
    const tickets = ['Done', 'To Do', 'Needs Input'].map((column, index) =>
      ticketView({ id: `TST-${String(index + 1)}`, column }),
    );
    assert.deepEqual(
      columnsOf(tickets, usual).map(({ column }) => column),
      ['Needs Input', 'To Do', 'Done'],
    );
  });

  it('sorts by priority and then by the latest change, by that alone, or by number', () => {
    const tickets = [
      ticketView({ id: 'TST-1', updatedAt: 3 }),
      ticketView({ id: 'TST-2', updatedAt: 9, priority: 5 }),
      ticketView({ id: 'TST-3', updatedAt: 1, priority: 1 }),
    ];
    const sorted = (order: TicketOrder) =>
      columnsOf(tickets, { filter: everything, order })[0]?.tickets.map(({ id }) => id);
    assert.deepEqual(sorted('priority'), ['TST-3', 'TST-1', 'TST-2']);
    assert.deepEqual(sorted('updated'), ['TST-2', 'TST-1', 'TST-3']);
    assert.deepEqual(sorted('number'), ['TST-3', 'TST-2', 'TST-1']);
  });

  it('puts the newest first where nothing else decides', () => {
    const tickets = ['TST-9', 'TST-10'].map((id) => ticketView({ id }));
    assert.deepEqual(
      columnsOf(tickets, usual)[0]?.tickets.map(({ id }) => id),
      ['TST-10', 'TST-9'],
    );
  });

  it('shows only what matches: words in any case, who needs a person, what is blocked, and parts of the way', () => {
    const tickets = [
      ticketView({ id: 'TST-1', title: 'Add CSV export' }),
      ticketView({
        id: 'TST-2',
        title: 'Mend the export',
        status: 'BLOCKED_ERROR',
        label: 'Blocked',
        band: 'errors',
        needsPerson: true,
      }),
      ticketView({ id: 'TST-3', title: 'Greet', status: 'CODING', label: 'Coding', band: 'implementation' }),
    ];
    const shown = (filter: Partial<TicketFilter>): readonly string[] =>
      columnsOf(tickets, { filter: { ...everything, ...filter }, order: 'number' })
        .flatMap((column) => column.tickets.map(({ id }) => id))
        .sort();
    assert.deepEqual(shown({ text: 'EXPORT csv' }), ['TST-1']);
    assert.deepEqual(shown({ text: 'tst-3' }), ['TST-3']);
    assert.deepEqual(shown({ text: 'coding' }), ['TST-3']);
    assert.deepEqual(shown({ needsPerson: true }), ['TST-2']);
    assert.deepEqual(shown({ blocked: true }), ['TST-2']);
    assert.deepEqual(shown({ bands: ['todo', 'implementation'] }), ['TST-1', 'TST-3']);
    assert.deepEqual(shown({ text: 'export', bands: ['implementation'] }), []);
  });

  it('loses no ticket of a column it does not know', () => {
    assert.equal(columnsOf([ticketView({ column: 'Elsewhere' })], usual)[0]?.column, 'Elsewhere');
  });
});
