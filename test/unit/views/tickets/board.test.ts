import assert from 'node:assert/strict';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import { Board, type BoardChange, differences, withTickets } from '../../../../src/views/tickets/board.ts';
import { FakeClient, ticketView } from '../../../support/fakes/fakeClient.ts';
import { FakeRepositories } from '../../../support/fakes/fakeRepositories.ts';
import { until } from '../../../support/until.ts';

describe('Board', () => {
  let repositories: FakeRepositories;
  let board: Board;
  let changes: number;

  beforeEach(() => {
    repositories = new FakeRepositories();
    board = new Board(repositories);
    changes = 0;
    board.onDidChange(() => (changes += 1));
  });
  afterEach(() => board.dispose());

  it('shows the tickets of a repository as soon as it is open', async () => {
    const client = new FakeClient();
    client.views = [ticketView()];
    repositories.show(client);
    await until(() => board.rows[0]?.tickets.length === 1, 'the ticket is there');
  });

  it('says so when a ticket moved, and says nothing when only its time of change did', async () => {
    const client = new FakeClient();
    client.views = [ticketView()];
    repositories.show(client);
    await until(() => changes === 1, 'the first look');
    client.views = [ticketView({ updatedAt: 2 })];
    await board.refresh();
    assert.equal(changes, 1);
    client.views = [ticketView({ status: 'CODING', label: 'Coding', column: 'In Progress' })];
    client.change();
    await until(() => changes === 2, 'the move is told');
  });

  it('reads once for a burst of changes', async () => {
    const client = new FakeClient();
    repositories.show(client);
    await until(() => client.reads === 1, 'the first look');
    for (let i = 0; i < 50; i++) client.change();
    client.views = [ticketView()];
    await until(() => board.rows[0]?.tickets.length === 1, 'the burst is read');
    assert.equal(client.reads, 2);
  });

  it('reads only the ticket that a change names, and says which row differs', async () => {
    const client = new FakeClient();
    client.views = [ticketView(), ticketView({ id: 'TST-2' })];
    repositories.show(client);
    await until(() => changes === 1, 'the first look');
    const told: BoardChange[] = [];
    board.onDidChange((change) => told.push(change));
    client.views = [ticketView(), ticketView({ id: 'TST-2', title: 'Another' })];
    client.change('TST-2');
    await until(() => told.length === 1, 'the change is told');
    assert.deepEqual(told, [{ structure: false, tickets: [{ root: '/sample', ticket: 'TST-2' }] }]);
    assert.deepEqual([client.reads, client.asked], [1, ['TST-2']]);
    assert.equal(board.find({ root: '/sample', ticket: 'TST-2' })?.title, 'Another');
  });

  it('tells that something was written about a ticket although its row is the same', async () => {
    const client = new FakeClient();
    client.views = [ticketView()];
    repositories.show(client);
    await until(() => changes === 1, 'the first look');
    const touched: unknown[] = [];
    board.onDidTouch((place) => touched.push(place));
    client.change('TST-1');
    await until(() => touched.length === 1, 'it is told');
    assert.deepEqual([touched, changes], [[{ root: '/sample', ticket: 'TST-1' }], 1]);
  });

  it('adds a ticket that someone filed', async () => {
    const client = new FakeClient();
    client.views = [ticketView()];
    repositories.show(client);
    await until(() => changes === 1, 'the first look');
    client.views = [ticketView(), ticketView({ id: 'TST-2' })];
    client.change('TST-2');
    await until(() => board.rows[0]?.tickets.length === 2, 'it is there');
    assert.equal(client.reads, 1);
  });

  it('lists what waits for a person in all repositories', async () => {
    const [one, two] = [new FakeClient(), new FakeClient({ root: '/other', name: 'other' })];
    one.views = [ticketView({ needsPerson: true }), ticketView({ id: 'TST-2' })];
    two.views = [ticketView({ id: 'OTH-1', needsPerson: true })];
    repositories.show(one, two);
    await board.refresh();
    assert.deepEqual(
      board.waiting.map(({ ticket }) => ticket.id),
      ['TST-1', 'OTH-1'],
    );
  });

  it('keeps showing one repository when another can not be read', async () => {
    const [one, two] = [new FakeClient(), new FakeClient({ root: '/other', name: 'other' })];
    one.views = [ticketView()];
    two.tickets = () => Promise.reject(new BeadsmithError('DISK_FULL'));
    repositories.show(one, two);
    await board.refresh();
    assert.deepEqual(
      board.rows.map((row) => [row.tickets.length, row.error?.code]),
      [
        [1, undefined],
        [0, 'DISK_FULL'],
      ],
    );
  });

  it('no longer listens to a repository that was closed', async () => {
    const client = new FakeClient();
    repositories.show(client);
    await board.refresh();
    repositories.fail('/sample', new BeadsmithError('NOT_A_REPOSITORY', { path: '/sample' }));
    await board.refresh();
    const before = client.reads;
    client.change();
    await board.refresh();
    assert.equal(client.reads, before);
    assert.equal(board.rows[0]?.error?.code, 'NOT_A_REPOSITORY');
  });
});

describe('the tickets of a board', () => {
  const known = ['TST-1', 'TST-2', 'TST-3'].map((id) => ticketView({ id }));

  it('stay the same objects, and the same list, as long as nothing differs', () => {
    const again = known.map((view) => ({ ...view }));
    assert.equal(withTickets(known, again, true), known);
    assert.equal(withTickets(known, [{ ...known[1]! }], false), known);
  });

  it('are replaced one by one, in their place; a new one comes last', () => {
    const read = [ticketView({ id: 'TST-2', title: 'Other' }), ticketView({ id: 'TST-4' })];
    const now = withTickets(known, read, false);
    assert.deepEqual(
      now.map(({ id, title }) => `${id} ${title}`),
      ['TST-1 A ticket', 'TST-2 Other', 'TST-3 A ticket', 'TST-4 A ticket'],
    );
    assert.equal(now[0], known[0]);
    assert.deepEqual(differences(known, now), { changed: ['TST-2', 'TST-4'], lost: false });
  });

  it('tell which is gone when all were read', () => {
    const now = withTickets(known, known.slice(1), true);
    assert.deepEqual(differences(known, now), { changed: [], lost: true });
  });

  it('do not count as changed for the time of their change alone, which is still kept', () => {
    const now = withTickets(known, [ticketView({ id: 'TST-1', updatedAt: 5 })], false);
    assert.deepEqual(differences(known, now), { changed: [], lost: false });
    assert.equal(now[0]?.updatedAt, 5);
  });
});
