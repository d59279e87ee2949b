import assert from 'node:assert/strict';
import type { ErrorRecord } from '../../../../src/domain/core/errors.ts';
import { decideFailedBead } from '../../../../src/views/gates/failedBead.ts';
import { failedBeadRow } from '../../../../src/views/pages/ticketState.ts';
import { editor, person } from '../../../support/fakes/fakeEditor.ts';
import { FakePlace } from '../../../support/fakes/ticketPlace.ts';

const sha256 = 'a'.repeat(64);
const analysis = {
  schema_version: 1,
  bead: 'greet',
  iteration: 2,
  analyst: 'demo/main',
  causeHash: 'x',
  rootCause: 'The bead is too large.',
  plan: [],
  assessments: { architecture: 'a', implementation: 'b', requirements: 'c', environment: 'd' },
  recommendation: 'split',
  rationale: 'Two parts.',
  retryHint: '',
  confidence: 0.8,
};
const needs: ErrorRecord = {
  code: 'FAILURE_NEEDS_DECISION',
  args: { bead: 'greet', choice: 'split', reason: 'Large.' },
  continuable: false,
  diagnostics: { bead: 'greet', analysis },
};
const proposed: ErrorRecord = {
  code: 'PLAN_CHANGE_PROPOSED',
  args: { bead: 'greet', beads: 'one' },
  continuable: false,
  diagnostics: { bead: 'greet', sha256, proposed: [{ id: 'one', title: 'One' }] },
};

describe('a bead that failed', () => {
  let place: FakePlace;
  const blocked = (error: ErrorRecord): void => {
    editor.reset();
    place = new FakePlace({ ticket: { status: 'BLOCKED_ERROR', previousStatus: 'CODING', error } });
  };

  it('is decided as its analysis recommends, which comes first', async () => {
    blocked(needs);
    editor.will(
      person.picksWhere(({ description }) => description === 'recommended'),
      person.writes('It is large.'),
    );
    await decideFailedBead(place);
    assert.equal(editor.shown[0]?.items[0]?.value, 'split');
    assert.deepEqual(place.sent, [
      ['follow_analysis', { bead: 'greet', choice: 'split', reason: 'It is large.' }],
    ]);
  });

  it('is replaced by exactly the beads that were shown', async () => {
    blocked(proposed);
    editor.will(person.picks('approve'), person.writes(''));
    await decideFailedBead(place);
    assert.match(editor.shown[0]?.items[0]?.detail ?? '', /one \(One\)/);
    assert.deepEqual(place.sent, [
      ['follow_analysis', { bead: 'greet', choice: 'approve', sha256, reason: '' }],
    ]);
  });

  it('is shown on the page with what can become of it', () => {
    assert.deepEqual(
      [failedBeadRow(needs)?.analysis?.label, failedBeadRow(needs)?.choices.map(({ choice }) => choice)],
      ['Split the Bead', ['split', 'retry', 'skip', 'replan']],
    );
    assert.deepEqual(
      [failedBeadRow(proposed)?.sha256, failedBeadRow(proposed)?.choices[0]?.choice],
      [sha256, 'approve'],
    );
    assert.equal(failedBeadRow({ ...needs, diagnostics: {} }), null);
  });
});
