import assert from 'node:assert/strict';
import type { TicketView } from '../../../../../src/protocol/api.ts';
import type { BoardRow } from '../../../../../src/views/tickets/board.ts';
import { everything } from '../../../../../src/views/tickets/tree/ticketFilter.ts';
import { pageSize, TicketList } from '../../../../../src/views/tickets/tree/ticketList.ts';
import { layoutChanges, layoutOf } from '../../../../../src/views/tickets/tree/treeLayout.ts';
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
