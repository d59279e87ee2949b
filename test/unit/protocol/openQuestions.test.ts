import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { openQuestions } from '../../../src/protocol/openQuestions.ts';
import { FakeClient } from '../../support/fakes/fakeClient.ts';
import { sampleInterview } from '../../support/samples.ts';

const question = (id: string) => ({
  id,
  question: `What about ${id}?`,
  source: 'compiled',
  round: 1,
  batch: 2,
});
const answer = {
  skipped: false,
  selected_option_ids: [],
  free_text: 'x',
  answered_by: 'user',
  answered_at: '',
  batch: 2,
};
const session = sampleInterview({
  asked: ['Q1', 'Q2', 'Q3'].map(question),
  answers: { Q2: answer },
  currentBatch: { number: 2, source: 'prompt', questionIds: ['Q2', 'Q3'], commentary: '' },
});

describe('openQuestions', () => {
  it('finds those of the present batch that have no answer', async () => {
    const client = new FakeClient();
    client.documents.set('interview_session', stringify(session));
    const batch = await openQuestions(client, 'TST-1');
    assert.equal(batch?.number, 2);
    assert.deepEqual(
      batch.questions.map(({ id }) => id),
      ['Q3'],
    );
  });

  it('finds none between two batches', async () => {
    const client = new FakeClient();
    client.documents.set('interview_session', stringify({ ...session, currentBatch: null }));
    assert.equal(await openQuestions(client, 'TST-1'), undefined);
  });
});
