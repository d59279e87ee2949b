import assert from 'node:assert/strict';
import type { Ticket } from '../../../../src/domain/ticket/ticket.ts';
import { newTicket } from '../../../../src/views/tickets/newTicket.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('a new ticket', () => {
  let place: FakePlace;
  const created: unknown[] = [];

  beforeEach(() => {
    editor.reset();
    created.length = 0;
    const settled = {
      mainImplementer: 'demo/main',
      councilMembers: ['demo/second'],
      settings: {},
      limits: {},
    };
    place = new FakePlace({ ticket: { status: 'DRAFT' } }, { startSettings: () => settled });
    Object.assign(place.client, {
      create: (input: unknown): Promise<Ticket> => {
        created.push(input);
        return Promise.resolve({ ...place.detail.ticket, id: 'TST-7' });
      },
    });
  });

  it('is filed with title and description, and started as the person wants', async () => {
    for (const depth of ['full', 'solo'] as const) {
      editor.will(
        person.writes(' Add CSV export '),
        person.writes('For the report page.'),
        person.picks(depth),
      );
      assert.equal(await newTicket(place.repository), 'TST-7');
    }
    assert.deepEqual(created[0], { title: 'Add CSV export', description: 'For the report page.' });
    const depths = place.client.sent.map(({ ticket, kind, body }) => [
      ticket,
      kind,
      (body as { settings: { depth: string } }).settings.depth,
    ]);
    assert.deepEqual(depths, [
      ['TST-7', 'start', 'full'],
      ['TST-7', 'start', 'solo'],
    ]);
  });

  it('has OpenCode started while it is being written, and doesn’t need it', async () => {
    let asked = 0;
    const models = () => {
      asked += 1;
      return Promise.reject(new Error('OpenCode is not installed'));
    };
    const repository = { ...place.repository, models };
    editor.will('leave');
    await newTicket(repository);
    assert.equal(asked, 1);
    editor.will(person.writes('Add CSV export'), person.writes(''), person.picks('draft'));
    assert.equal(await newTicket(repository), 'TST-7');
  });

  it('can be kept as a draft', async () => {
    editor.will(person.writes('Add CSV export'), person.writes(''), person.picks('draft'));
    await newTicket(place.repository);
    assert.deepEqual([created.length, place.sent], [1, []]);
    assert.match(editor.said[0] ?? '', /TST-7/);
  });

  it('needs a title of one line that isn’t too long', async () => {
    editor.will(
      person.writes(' '),
      person.writes('x'.repeat(1_000)),
      person.writes('Add CSV export'),
      'leave',
    );
    await newTicket(place.repository);
    assert.equal(editor.refusals.length, 2);
    assert.ok(editor.refusals.every((reason) => reason !== ''));
  });

  it('is not filed when the person leaves, at any question', async () => {
    const answers = [person.writes('Add CSV export'), person.writes(''), person.picks('draft')];
    for (const count of [0, 1, 2]) {
      editor.will(...answers.slice(0, count), 'leave');
      assert.equal(await newTicket(place.repository), undefined);
    }
    assert.deepEqual(created, []);
  });

  it('keeps what was written when the person goes back', async () => {
    editor.will(
      person.writes('Add export'),
      person.writes('All of it.'),
      'back',
      'back',
      person.writes('Add CSV export'),
      person.writes('Some.'),
      person.picks('draft'),
    );
    await newTicket(place.repository);
    const boxes = editor.shown.filter(({ kind }) => kind === 'input').map(({ items }) => items[0]?.label);
    assert.deepEqual(boxes, ['', '', 'All of it.', 'Add export', 'All of it.']);
    assert.deepEqual(created, [{ title: 'Add CSV export', description: 'Some.' }]);
  });

  it('begins with what the editor knows, and puts the place below what the person wrote', async () => {
    editor.will(person.writes('Fix the TODO'), person.writes('It is wrong.'), person.picks('draft'));
    await newTicket(place.repository, { title: 'Fix', description: 'In `src/greet.ts`, line 3.' });
    assert.equal(editor.shown[0]?.items[0]?.label, 'Fix');
    assert.deepEqual(created, [
      { title: 'Fix the TODO', description: 'It is wrong.\n\nIn `src/greet.ts`, line 3.' },
    ]);
  });
});
