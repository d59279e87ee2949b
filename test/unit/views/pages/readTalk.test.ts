import assert from 'node:assert/strict';
import { talkGist } from '../../../../src/views/pages/readTalk.ts';

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
