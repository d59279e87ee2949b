import assert from 'node:assert/strict';
import type { TicketView } from '../../../../../src/protocol/api.ts';
import type { BoardRow } from '../../../../../src/views/tickets/board.ts';
import {
  everything,
  type TicketFilter,
  type TicketOrder,
} from '../../../../../src/views/tickets/tree/ticketFilter.ts';
import { pageSize, TicketList } from '../../../../../src/views/tickets/tree/ticketList.ts';
import { columnsOf, layoutChanges, layoutOf } from '../../../../../src/views/tickets/tree/treeLayout.ts';
import { ticketView } from '../../../../support/fakes/fakeClient.ts';

describe('the layout of the tree', () => {
  let kept: Map<string, unknown>;
  let list: TicketList;

  beforeEach(() => {
    kept = new Map();
    list = listOf(kept);
  });

  it('shows a page of a column and how many there are, and more when asked', () => {
    const rows = [row(drafts(250))];
    const [column] = layoutOf(rows, list).get('/sample') ?? [];
    assert.deepEqual([column?.column, column?.tickets.length, column?.total], ['To Do', pageSize, 250]);
    assert.equal(column?.tickets[0], 'TST-250');
    list.more('/sample', 'To Do');
    list.more('/sample', 'To Do');
    assert.equal(layoutOf(rows, list).get('/sample')?.[0]?.tickets.length, 250);
  });

  it('begins with the first page again when the filter changes', async () => {
    const rows = [row(drafts(250))];
    list.more('/sample', 'To Do');
    await list.show({ ...everything, text: 'ticket' });
    assert.equal(layoutOf(rows, list).get('/sample')?.[0]?.tickets.length, pageSize);
  });

  it('asks for nothing when a ticket beyond the pages changes, and for its column when a row moves', () => {
    const before = layoutOf([row(drafts(250))], list);
    const beyond = drafts(250).map((view) => (view.id === 'TST-1' ? { ...view, title: 'Other' } : view));
    assert.deepEqual(layoutChanges(before, layoutOf([row(beyond)], list)), []);
    const first = drafts(250).map((view) => (view.id === 'TST-1' ? { ...view, priority: 1 } : view));
    assert.deepEqual(layoutChanges(before, layoutOf([row(first)], list)), [
      { root: '/sample', column: 'To Do' },
    ]);
    const one = drafts(251);
    assert.deepEqual(layoutChanges(before, layoutOf([row(one)], list)), [
      { root: '/sample', column: 'To Do' },
    ]);
  });

  it('asks for everything when a column comes or goes', () => {
    const before = layoutOf([row(drafts(2))], list);
    const started = drafts(2).map((view) =>
      view.id === 'TST-1' ? { ...view, column: 'In Progress' } : view,
    );
    assert.equal(layoutChanges(before, layoutOf([row(started)], list)), 'all');
    assert.equal(
      layoutChanges(before, layoutOf([row(drafts(2)), { ...row([]), root: '/other' }], list)),
      'all',
    );
  });

  it('keeps filter and order for the next window, and survives what it can not read', async () => {
    await list.show({ ...everything, text: 'csv', bands: ['prd'] });
    await list.sort('updated');
    const next = listOf(kept);
    assert.deepEqual(
      [next.filter.text, next.filter.bands, next.order, next.isFiltered],
      ['csv', ['prd'], 'updated', true],
    );
    const odd = listOf(
      new Map<string, unknown>([
        ['tickets.filter', { text: 7 }],
        ['tickets.order', 'sideways'],
      ]),
    );
    assert.deepEqual([odd.filter, odd.order], [everything, 'priority']);
  });
});

function listOf(kept: Map<string, unknown>): TicketList {
  return new TicketList({
    get: (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
  });
}

function drafts(count: number): readonly TicketView[] {
  return Array.from({ length: count }, (_, index) => ticketView({ id: `TST-${String(index + 1)}` }));
}

function row(tickets: readonly TicketView[]): BoardRow {
  return { root: '/sample', name: 'sample', repository: undefined, tickets, error: undefined };
}

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
