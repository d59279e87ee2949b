import assert from 'node:assert/strict';
import { endReview } from '../../../../src/views/gates/endReview.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { type Review, reviewedPlace } from '../../../support/fakes/reviewedPlace.ts';
import type { ViewedFiles } from '../../../../src/views/review/viewedFiles.ts';
import { viewedFiles } from '../../../support/fakes/viewedFiles.ts';
import type { FakePlace } from '../../../support/fakes/ticketPlace.ts';
import { sampleThread } from '../../../support/samples.ts';

describe('the end of a review', () => {
  let place: FakePlace;
  let viewed: ViewedFiles;
  const review = (beads: Readonly<Record<string, Review>>): void => {
    editor.reset();
    place = reviewedPlace(beads);
    viewed = viewedFiles();
  };

  it('says first which beads nobody reviewed, and Enter shows the first of them', async () => {
    review({ a: 'accepted', b: 'none', c: 'changed', d: 'empty' });
    editor.will(person.presses(0));
    await endReview(place, 'merge', viewed);
    const [asked, ...more] = editor.shown;
    assert.equal(asked?.text, 'TST-1: 1 of 3 beads accepted');
    assert.match(
      asked.detail,
      /Do b\n.*Do c \(changed since you decided\)\n\n4 of their 4 files not viewed$/,
    );
    assert.doesNotMatch(asked.detail, /Do [ad]\b/);
    assert.deepEqual(asked.buttons, [
      'Review Changes',
      'Merge Anyway…',
      'Close Without Merging…',
      'Request Changes…',
    ]);
    assert.deepEqual([more, place.sent, editor.ran.length], [[], [], 1]);
  });

  it('says how many of their files the person didn’t view', async () => {
    review({ a: 'accepted', b: 'none' });
    const at = { root: place.repository.root, ticket: place.ticket };
    for (const path of ['b.ts', 'a.ts']) await viewed.mark(at, 'b', { path }, true);
    editor.will('cancel');
    await endReview(place, 'merge', viewed);
    assert.match(editor.shown[0]?.detail ?? '', /\n\n1 of their 2 files not viewed$/);
    await viewed.mark(at, 'b', { path: 'b.test.ts' }, true);
    editor.reset();
    editor.will('cancel');
    await endReview(place, 'merge', viewed);
    assert.match(editor.shown[0]?.detail ?? '', /Do b$/);
  });

  it('merges or closes after the question that each has anyway', async () => {
    for (const [way, kind] of [
      [1, 'merge'],
      [2, 'close'],
    ] as const) {
      review({ a: 'none' });
      editor.will(person.presses(way), person.presses(0));
      await endReview(place, 'merge', viewed);
      assert.deepEqual([editor.shown.length, place.sent.map(([sent]) => sent)], [2, [kind]]);
    }
  });

  it('asks for changes instead', async () => {
    review({ a: 'none' });
    editor.will(person.presses(3), person.writes('Louder.'), person.writes(''));
    await endReview(place, 'merge', viewed);
    assert.deepEqual(place.sent, [['changes', { items: [{ text: 'Louder.' }] }]]);
  });

  it('puts first what the person chose, and does nothing when they cancel', async () => {
    review({ a: 'none' });
    editor.will('cancel');
    await endReview(place, 'close', viewed);
    assert.equal(editor.shown[0]?.buttons[1], 'Close Without Merging…');
    assert.deepEqual([place.sent, editor.ran], [[], []]);
  });

  it('names comments that were never sent, and of many beads the first ten', async () => {
    review(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`bead-${String(at)}`, 'none'])));
    place.client.comments.stored = [
      sampleThread({
        bead: 'bead-1',
        comments: [{ id: 'c', text: 'Louder.', author: 'user', at: 0, sent: null }],
      }),
    ];
    editor.will('cancel');
    await endReview(place, 'merge', viewed);
    assert.match(
      editor.shown[0]?.detail ?? '',
      /Do bead-9\nAnd 2 more\.\n\n24 of their 24 files not viewed\n\n1 comment not sent$/,
    );
  });

  it('asks nothing more where each bead has a verdict', async () => {
    for (const beads of [{ a: 'accepted', b: 'rejected', c: 'empty' }, {}] as const) {
      review(beads);
      editor.will(person.presses(0));
      await endReview(place, 'merge', viewed);
      assert.match(editor.shown[0]?.text ?? '', /^Merge ticket\/TST-1 into main\?$/);
      assert.deepEqual([editor.shown.length, place.sent], [1, [['merge', {}]]]);
    }
  });
});
