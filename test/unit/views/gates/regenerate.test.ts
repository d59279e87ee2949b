import assert from 'node:assert/strict';
import { regenerate } from '../../../../src/views/gates/regenerate.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

describe('regenerating a document', () => {
  const at = (artifact: string): FakePlace =>
    new FakePlace({ gate: { artifact, sha256: 'a'.repeat(64) }, actions: ['regenerate'] });
  beforeEach(() => editor.reset());

  it('regenerates with a note, and refuses one that is too long', async () => {
    const place = at('prd');
    editor.will(person.writes('x'.repeat(20_001)), person.writes('Smaller.'));
    await regenerate(place);
    assert.equal(editor.refusals.length, 1);
    assert.deepEqual(place.sent, [['regenerate', { note: 'Smaller.' }]]);
  });

  it('says before what becomes of an interview’s answers', async () => {
    editor.will('leave', 'leave');
    await regenerate(at('interview'));
    assert.match(editor.shown[0]?.detail ?? '', /Your answers are kept/);
    await regenerate(at('prd'));
    assert.match(editor.shown[1]?.detail ?? '', /^This creates the document again\. .* What should change\?/);
  });
});
