import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { l10n } from 'vscode';
import type { CallView } from '../../../../src/protocol/history.ts';
import { liveTalk, openTalk, personaOf, talkGist } from '../../../../src/views/pages/liveTalk.ts';
import { sampleCall, sampleRun, sampleUsage } from '../../../support/samples.ts';

const stage = {
  stage: 'review',
  state: 'open',
  exit: null,
  interrupted: false,
  open: ['review:1/murat/review'],
  error: null,
  startedAt: 100,
  endedAt: null,
} as const;
const iteration = {
  run: 'r:bead:greet:2',
  bead: 'greet',
  iteration: 2,
  state: 'open',
  exit: null,
  stages: [stage],
} as const;
const run = sampleRun({
  id: 'r',
  state: 'open',
  exit: null,
  startedAt: 1,
  endedAt: null,
  iterations: [iteration],
});
const call = (id: string, changes: Partial<CallView> = {}): CallView =>
  sampleCall({
    id,
    run: 'r:bead:greet:2',
    step: 'review',
    member: 'b/two',
    prompt: 'review',
    startedAt: 150,
    endedAt: 250,
    estimatedTokens: 1,
    ...changes,
  });
const used = (of: string, cost: number) => ({
  ...sampleUsage({
    messageId: of,
    model: 'two',
    input: 10,
    output: 2,
    reasoning: 1,
    cacheRead: 3,
    cacheWrite: 4,
    cost,
  }),
  run: 'r:bead:greet:2',
  call: of,
});

describe('what models talk about now', () => {
  afterEach(() => mock.restoreAll());

  it('is the open review of an open iteration, and nothing while a model codes', () => {
    assert.deepEqual(openTalk([run]), {
      run: 'r:bead:greet:2',
      bead: 'greet',
      iteration: 2,
      stage: 'review',
      since: 100,
      open: stage.open,
    });
    assert.equal(
      openTalk([{ ...run, iterations: [{ ...iteration, stages: [{ ...stage, stage: 'code' }] }] }]),
      undefined,
    );
    assert.equal(openTalk([{ ...run, iterations: [{ ...iteration, state: 'closed' }] }]), undefined);
  });

  it('says who answered since then, and what it costs', () => {
    mock.method(l10n, 't', (text: string) => `«${text}»`);
    const talk = openTalk([run]);
    assert.ok(talk);
    const calls = [
      call('before', { startedAt: 50 }),
      call('one'),
      call('r:bead:greet:2/review:1/winston/review#ses_1#1', { outcome: 'failed' }),
    ];
    const shown = liveTalk(
      talk,
      calls,
      [used('before', 1), used('one', 0.25), used('r:bead:greet:2/review:1/winston/review#ses_1#1', 0.5)],
      new Map([['one', 'found nothing']]),
    );
    assert.deepEqual(shown.speaking, ['murat']);
    assert.deepEqual(
      [
        shown.label,
        shown.tokens,
        shown.cost,
        shown.answers.map(({ id, speaker, gist, tokens, ms }) => [id, speaker, gist, tokens, ms]),
      ],
      [
        '«Review»',
        40,
        0.75,
        [
          ['one', '', 'found nothing', 20, 100],
          ['r:bead:greet:2/review:1/winston/review#ses_1#1', 'winston', '', 20, 100],
        ],
      ],
    );
  });

  it('reads personas from the keys of their steps in the ids of calls', () => {
    assert.deepEqual(
      [
        'r/review:1/winston/review#s#1',
        'r/review:1/amelia/vote#s#2',
        'r/review:1/review#s#1',
        'r/analyse:1/bob/analysis#s#1',
      ].map(personaOf),
      ['winston', 'amelia', '', 'bob'],
    );
  });
});

describe('what an answer of a talk comes to', () => {
  const finding = (severity: string) =>
    `  - severity: ${severity}\n    claim: "severity: high is what I call it"\n    evidence: say(severity: high)\n`;

  it('counts what a reviewer found, in YAML and in JSON', () => {
    const answer = `\`\`\`yaml\nfindings:\n${finding('high')}${finding('low')}${finding('low')}\`\`\``;
    assert.equal(talkGist({ prompt: 'review', output: answer }), 'found: 1 High, 2 Low');
    assert.equal(
      talkGist({
        prompt: 'review-again',
        output: '{"findings":[{"severity":"medium","claim":"It says \\"severity\\": \\"high\\"."}]}',
      }),
      'found: 1 Medium',
    );
    assert.equal(talkGist({ prompt: 'review', output: 'findings: []' }), 'found nothing');
  });

  it('counts votes, and says what an analysis recommends', () => {
    const votes =
      'ballots:\n  - finding: F1\n    vote: confirm\n  - finding: F2\n    vote: "reject"\n  - finding: F3\n    vote: confirm\n';
    assert.equal(talkGist({ prompt: 'party-vote', output: votes }), 'votes: 2 confirmed, 1 rejected');
    assert.equal(
      talkGist({ prompt: 'failure-analysis', output: 'rootCause: x\nrecommendation: split\n' }),
      'recommends: Split the Bead',
    );
  });

  it('says nothing of what it can’t count', () => {
    assert.equal(talkGist({ prompt: 'kickoff', output: 'key_decisions: []' }), '');
    assert.equal(talkGist({ prompt: 'failure-analysis', output: 'recommendation: dance' }), '');
  });

  it('takes little time for a text of any length', () => {
    for (const unit of ['severity', 'severity: ', ' ', '"severity"', 'severity:\t'])
      assert.equal(typeof talkGist({ prompt: 'review', output: unit.repeat(60_000) }), 'string');
  });
});
