import assert from 'node:assert/strict';
import type { Usage } from '../../../../src/domain/usage/promptPlan.ts';
import { readCouncils } from '../../../../src/protocol/council/councilPapers.ts';
import { CouncilReport } from '../../../../src/protocol/council/councilReport.ts';
import { Review, TokenTables } from '../../../../src/protocol/pages/ticket.ts';
import { readReview, tokenTables } from '../../../../src/views/pages/ticketDetails.ts';
import { FakeClient } from '../../../support/fakes/fakeClient.ts';
import { sampleProposal, sampleRun, sampleUsage } from '../../../support/samples.ts';

describe('tokens of a ticket', () => {
  const used = (run: string, model: string, changes: Partial<Usage> = {}) => ({
    ...sampleUsage({ messageId: run, model, input: 10, cacheRead: 100, cost: 0.5, ...changes }),
    run,
    call: null,
  });

  it('count iterations of beads as coding, and what belongs nowhere apart', async () => {
    const client = new FakeClient();
    const iteration = { bead: 'one', iteration: 1, state: 'open', exit: null, stages: [] } as const;
    client.history.pastRuns = [sampleRun({ iterations: [{ ...iteration, run: 'r1:bead:one:1' }] })];
    client.usage = () =>
      Promise.resolve([
        used('r1', 'a/one'),
        used('r1:bead:one:1', 'b/two', { input: 5 }),
        used('gone', 'a/one'),
      ]);
    const tables = TokenTables.parse(await tokenTables(client, 'TST-1'));
    assert.deepEqual(
      tables.phases.map(({ key, answers, input }) => [key, answers, input]),
      [
        ['Coding', 2, 15],
        ['Other', 1, 10],
      ],
    );
    assert.deepEqual(
      tables.models.map(({ key, answers, money }) => [key, answers, money]),
      [
        ['a/one', 2, 1],
        ['b/two', 1, 0.5],
      ],
    );
    const { answers, input, cacheRead, money } = tables.total;
    assert.deepEqual([answers, input, cacheRead, money], [3, 25, 300, 1.5]);
  });
});

describe('councils of a ticket', () => {
  const score = {
    coverage: 20,
    correctness: 15,
    testability: 10,
    decomposition: 5,
    risks: 1,
    reason: 'Thorough.',
  };
  const drafts = {
    schema_version: 1,
    drafts: [
      { member: 'a/one', outcome: 'completed', content: 'x', sha256: null, error: null, metrics: {} },
      {
        member: 'b/two',
        outcome: 'invalid_output',
        content: '',
        sha256: null,
        error: 'b/two gave no usable answer.',
        metrics: {},
      },
    ],
  };

  it('show who was refused and why, also when there was no winner', async () => {
    const client = new FakeClient();
    client.documents.set('prd_drafts', JSON.stringify(drafts));
    const [council, ...others] = await readCouncils(client, 'TST-1');
    assert.deepEqual(others, []);
    const { drafts: shown, totals, winner } = CouncilReport.parse(council);
    assert.deepEqual(
      shown.map(({ member, outcome, error }) => [member, outcome, error]),
      [
        ['a/one', 'completed', null],
        ['b/two', 'invalid_output', 'b/two gave no usable answer.'],
      ],
    );
    assert.deepEqual([totals, winner], [{}, null]);
  });

  it('show what each voter gave each draft, and the winner', async () => {
    const client = new FakeClient();
    client.documents.set('prd_drafts', JSON.stringify(drafts));
    const votes = [
      { voter: 'b/two', outcome: 'completed', order: ['a/one'], scores: { 'a/one': score }, error: null },
      { voter: 'a/one', outcome: 'timed_out', order: [], scores: {}, error: 'Too slow.' },
    ];
    client.documents.set('prd_votes', JSON.stringify({ schema_version: 1, votes }));
    client.documents.set(
      'prd_winner',
      JSON.stringify({ schema_version: 1, winner: 'a/one', totals: { 'a/one': 51 }, tie: false }),
    );
    const [council] = await readCouncils(client, 'TST-1');
    const { votes: shown, totals, winner } = CouncilReport.parse(council);
    assert.deepEqual(
      shown.map(({ voter, outcome, error, scores }) => [voter, outcome, error, scores]),
      [
        ['b/two', 'completed', null, { 'a/one': { sum: 51, reason: 'Thorough.' } }],
        ['a/one', 'timed_out', 'Too slow.', {}],
      ],
    );
    assert.deepEqual([winner, totals], ['a/one', { 'a/one': 51 }]);
  });

  it('show each category with its reasons, in which drafts have their members’ names', async () => {
    const client = new FakeClient();
    client.documents.set('prd_drafts', JSON.stringify(drafts));
    const reasons = { risks: 'Draft 2 has "expiry".' };
    const votes = ['a/one', 'b/two'].map((voter, index) => ({
      voter,
      outcome: 'completed',
      order: ['a/one', 'b/two'],
      error: null,
      scores: {
        'a/one': { ...score, risks: 1 + 12 * index, reason: 'Like draft 1.', reasons, unquoted: ['risks'] },
      },
    }));
    client.documents.set('prd_votes', JSON.stringify({ schema_version: 1, votes }));
    const [council] = await readCouncils(client, 'TST-1');
    const { opinions, votes: shown } = CouncilReport.parse(council);
    const risks = opinions.find(({ category }) => category === 'risks');
    assert.deepEqual(risks?.voices[0], {
      voter: 'a/one',
      score: 1,
      reason: 'b/two has "expiry".',
      quoted: false,
    });
    assert.deepEqual(risks.dissent, ['a/one', 'b/two']);
    assert.equal(shown[0]?.scores['a/one']?.reason, 'Like a/one.');
  });
});

describe('the review of a ticket', () => {
  it('is what the reports say, and nothing before there is a pull request', async () => {
    const client = new FakeClient();
    assert.equal(await readReview(client, 'TST-1'), undefined);
    const evidence = {
      command: 'npm test',
      cwd: '/w',
      exitCode: 1,
      signal: null,
      timedOut: false,
      durationMs: 5,
      outputBytes: 3,
    };
    client.documents.set(
      'final_test_report',
      JSON.stringify({
        schema_version: 1,
        passed: false,
        commit: null,
        summary: '',
        attempts: [
          {
            number: 1,
            commands: ['npm test'],
            evidence: [{ ...evidence, head: 'a', tail: `${'x'.repeat(20_000)}end` }],
            passed: false,
          },
        ],
      }),
    );
    client.documents.set(
      'pull_request_report',
      JSON.stringify(sampleProposal({ title: 'TST-1: It', body: '# <b>Why</b>' })),
    );
    const review = Review.parse(await readReview(client, 'TST-1'));
    assert.deepEqual([review.title, review.body, review.base], ['TST-1: It', '# <b>Why</b>', 'main']);
    const [test] = review.tests;
    assert.deepEqual([test?.exitCode, test?.timedOut], [1, false]);
    assert.ok(test && test.output.endsWith('end') && test.output.length < 10_000);
  });
});
