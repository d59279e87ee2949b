import assert from 'node:assert/strict';
import { ticketTextHash } from '../../../../src/domain/ticket/ticket.ts';
import { setPriority } from '../../../../src/views/tickets/setPriority.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('the priority of a draft', () => {
  it('is picked, and leaves title and description as they are', async () => {
    const place = new FakePlace({ ticket: { status: 'DRAFT', priority: 3 }, actions: ['start', 'edit'] });
    editor.will(person.picks(1));
    await setPriority(place);
    const { title, description } = place.detail.ticket;
    assert.deepEqual(place.sent, [
      [
        'edit',
        {
          artifact: 'ticket',
          baseSha256: ticketTextHash({ title, description }),
          content: JSON.stringify({ title, description, priority: 1 }),
          surface: 'structured',
        },
      ],
    ]);
    assert.deepEqual(
      editor.shown[0]?.items.map(({ label, description: now }) => [label, now]),
      ['1', '2', '3', '4', '5'].map((label) => [label, label === '3' ? 'now' : undefined]),
    );
  });

  it('that it has already is no change', async () => {
    const place = new FakePlace({ ticket: { status: 'DRAFT', priority: 3 }, actions: ['start', 'edit'] });
    editor.will(person.picks(3));
    await setPriority(place);
    editor.will('leave');
    await setPriority(place);
    assert.deepEqual(place.sent, []);
  });
});
