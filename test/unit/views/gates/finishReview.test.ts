import assert from 'node:assert/strict';
import { closeTicket, mergeTicket, requestChanges } from '../../../../src/views/gates/finishReview.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('the end of a review', () => {
  let place: FakePlace;

  beforeEach(() => {
    editor.reset();
    place = new FakePlace({
      ticket: { status: 'WAITING_PR_REVIEW' },
      actions: ['merge', 'close', 'changes'],
    });
  });

  for (const [what, run, sent] of [
    ['merges', mergeTicket, ['merge', {}]],
    ['closes without merging', closeTicket, ['close', { reason: '' }]],
  ] as const) {
    it(`${what} after a question that names the branch`, async () => {
      editor.will(person.presses(0));
      await run(place);
      assert.deepEqual(place.sent, [sent]);
      const [question] = editor.shown;
      assert.equal(question?.kind, 'warning');
      assert.match(`${question.text} ${question.detail}`, /ticket\/TST-1/);
    });

    it(`does nothing of that when the person cancels (${what})`, async () => {
      editor.will('cancel');
      await run(place);
      assert.deepEqual(place.sent, []);
    });
  }

  it('names the base that a merge moves', async () => {
    place.become({ ticket: { status: 'WAITING_PR_REVIEW', baseBranch: 'release/2' } });
    editor.will('cancel');
    await mergeTicket(place);
    assert.match(editor.shown[0]?.text ?? '', /release\/2/);
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
