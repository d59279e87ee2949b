import assert from 'node:assert/strict';
import { sha256 } from '../../../../src/base/sha256.ts';
import { askAPerson, gateAnswer, type GatePolicy, parseGates } from '../../../../src/cli/drive/gatePolicy.ts';
import { policyOptions } from '../../../../src/cli/options/options.ts';
import {
  type BatchQuestion,
  BatchQuestion as Question,
} from '../../../../src/domain/requirements/interview.ts';
import { BeadsmithError } from '../../../../src/domain/core/errors.ts';
import type { Status } from '../../../../src/domain/workflow/workflow.ts';
import type { Store } from '../../../../src/engine/ports/storePort.ts';
import { moveTicket } from '../../../support/engine/moveTicket.ts';
import { tempStores } from '../../../support/engine/tempStore.ts';
import { testClient } from '../../../support/engine/testClient.ts';
import { sampleInterview } from '../../../support/samples.ts';

const questions: BatchQuestion[] = [
  Question.parse({
    id: 'q1',
    question: 'Which format should it print?',
    answer_type: 'single_choice',
    options: [
      { id: 'a', label: 'JSON' },
      { id: 'b', label: 'YAML' },
    ],
  }),
  Question.parse({ id: 'q2', question: 'Who uses it?' }),
];

describe('the gate policy', () => {
  const makeStore = tempStores();

  async function at(
    status: Status,
    prepare: (store: Store, id: string) => Promise<void> = () => Promise.resolve(),
  ) {
    const { store } = makeStore();
    const client = testClient(store);
    const { id } = await client.create({ title: 'A ticket' });
    await prepare(store, id);
    await moveTicket(store, id, status);
    const answer = async (policy: Partial<GatePolicy>) =>
      gateAnswer(client, await client.ticket(id), { ...askAPerson, ...policy });
    return { answer, client, id };
  }

  it('names every gate in its help', () => {
    const named = policyOptions.approve.about.replace(/^.*: /, '').split(', ');
    assert.deepEqual(new Set(named), parseGates('all'));
  });

  it('answers nothing that it does not cover', async () => {
    for (const status of [
      'WAITING_PRD_APPROVAL',
      'WAITING_PR_REVIEW',
      'WAITING_MANUAL_QA',
      'WAITING_INTERVIEW_ANSWERS',
    ] as const) {
      const { answer } = await at(status);
      assert.equal(await answer({ approve: parseGates('beads,setup') }), undefined, status);
    }
    const { answer } = await at('CODING');
    assert.equal(await answer({ approve: parseGates('all') }), undefined);
  });

  it('approves with the hash of what is there', async () => {
    const { answer } = await at('WAITING_PRD_APPROVAL', async (store, ticket) => {
      await store.commit({
        ticket,
        journal: [],
        changes: [
          { type: 'artifact', artifact: 'prd', content: 'the prd', status: 'DRAFTING_PRD', attempt: 1 },
        ],
      });
    });
    const given = await answer({ approve: parseGates('prd') });
    assert.equal(given?.kind === 'approve' && given.body.sha256, sha256('the prd'));
  });

  it('ends a review by closing, or by merging when that was said', async () => {
    const { answer } = await at('WAITING_PR_REVIEW');
    assert.equal((await answer({ approve: parseGates('review') }))?.kind, 'close');
    assert.equal((await answer({ approve: parseGates('review'), end: 'merge' }))?.kind, 'merge');
  });

  it('skips manual QA rather than to say it passed', async () => {
    const { answer } = await at('WAITING_MANUAL_QA');
    assert.equal((await answer({ approve: parseGates('all') }))?.kind, 'skip');
  });

  describe('in an interview', () => {
    const asked = (answered: readonly string[] = []) =>
      at('WAITING_INTERVIEW_ANSWERS', async (store, ticket) => {
        const session = sampleInterview({
          asked: questions.map((question) => ({ ...question, source: 'compiled', round: 0, batch: 2 })),
          answers: Object.fromEntries(
            answered.map((id) => [
              id,
              {
                skipped: true,
                selected_option_ids: [],
                free_text: '',
                answered_by: 'user',
                answered_at: '',
                batch: 2,
              },
            ]),
          ),
          currentBatch: { number: 2, source: 'prompt', questionIds: ['q1', 'q2'], commentary: '' },
        });
        const change = {
          type: 'artifact',
          artifact: 'interview_session',
          content: JSON.stringify(session),
          status: 'WAITING_INTERVIEW_ANSWERS',
          attempt: 1,
        } as const;
        await store.commit({ ticket, journal: [], changes: [change] });
      });

    it('takes the recorded answers of the batch', async () => {
      const { answer } = await asked();
      const given = await answer({
        answers: [
          { match: 'format', select: ['yaml'] },
          { match: '*', skip: true, reason: 'unknown' },
        ],
      });
      assert.deepEqual(given?.body, {
        batch: 2,
        answers: {
          q1: { selected_option_ids: ['b'], free_text: '', skipped: false },
          q2: { selected_option_ids: [], free_text: '', skipped: true, skip_reason: 'unknown' },
        },
      });
    });

    it('asks a person when a question has no recorded answer, unless the gate is covered', async () => {
      const { answer } = await asked();
      const answers = [{ match: 'q1', select: ['a'] }];
      assert.equal(await answer({ answers }), undefined);
      const given = await answer({ answers, approve: parseGates('interview-answers') });
      assert.equal(given?.kind === 'answer' && given.body.answers['q2']?.skipped, true);
    });

    it('speaks only of questions that are still open', async () => {
      const { answer } = await asked(['q1']);
      const given = await answer({ answers: [{ match: '*', text: 'Everybody' }] });
      assert.deepEqual(given?.kind === 'answer' && Object.keys(given.body.answers), ['q2']);
    });

    it('says which recorded answer does not fit its question', async () => {
      const { answer } = await asked();
      await assert.rejects(
        answer({ answers: [{ match: 'q1', select: ['TOML'] }] }),
        (error) => error instanceof BeadsmithError && /q1.*TOML/.test(error.message),
      );
    });

    it('skips everything when the interview is to be skipped', async () => {
      const { answer } = await asked();
      assert.equal((await answer({ skipInterview: true }))?.kind, 'skip');
    });
  });
});
