import assert from 'node:assert/strict';
import { requestChanges } from '../../../../src/views/gates/requestChanges.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('asking for changes', () => {
  let place: FakePlace;

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({
      ticket: { status: 'WAITING_PR_REVIEW' },
      actions: ['changes'],
    });
  });

  it('notes changes one by one, and sends them at an empty line', async () => {
    editor.will(person.writes(' Louder. '), person.writes('And shorter.'), person.writes(''));
    await requestChanges(place);
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }, { text: 'And shorter.' }] }]]);
    assert.match(editor.shown[2]?.detail ?? '', /2/, 'it says how many are noted');
  });

  it('wants at least one change', async () => {
    editor.will(person.writes('  '), person.writes('Louder.'), person.writes(''));
    await requestChanges(place);
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }] }]]);
  });

  it('asks who leaves whether to send what was noted', async () => {
    editor.will(person.writes('Louder.'), person.writes('Shorter.'), 'leave', person.presses(0));
    await requestChanges(place);
    assert.equal(editor.shown.at(-1)?.detail, '- Louder.\n- Shorter.');
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }, { text: 'Shorter.' }] }]]);
  });

  it('sends nothing when the person throws that away, or noted nothing', async () => {
    editor.will(person.writes('Louder.'), 'leave', 'cancel');
    await requestChanges(place);
    editor.will('leave');
    await requestChanges(place);
    assert.deepEqual([place.sent, editor.left], [[], 0]);
  });

  it('sends after fifty, because no more fit', async () => {
    editor.will(...Array.from({ length: 50 }, (_, index) => person.writes(`Point ${String(index)}`)));
    await requestChanges(place);
    const [, body] = place.sent[0] ?? [];
    assert.equal((body as { items: unknown[] }).items.length, 50);
  });
});
