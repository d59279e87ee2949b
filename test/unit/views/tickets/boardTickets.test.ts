import assert from 'node:assert/strict';
import { differences, withTickets } from '../../../../src/views/tickets/boardTickets.ts';
import { ticketView } from '../../../support/fakes/fakeClient.ts';

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
