import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { CouncilVotes } from '../../../../../src/domain/council/council.ts';
import { votesText } from '../../../../../src/phases/shared/panel/refineContext.ts';
import { voteCouncil, parseBallot } from '../../../../../src/phases/shared/panel/voteCouncil.ts';
import { refineBeads } from '../../../../../src/phases/plan/blueprint.ts';
import { endMark } from '../../../../../src/context/promptFile.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import {
  beads,
  draftsDocument,
  prdText,
  winnerDocument,
} from '../../../../support/models/planningAnswers.ts';

const points = { coverage: 10, correctness: 11, testability: 12, decomposition: 13, risks: 14 };
const reasons = { coverage: 'a', correctness: 'b', testability: 'c', decomposition: 'd', risks: 'e' };
const read = (written: unknown): unknown => {
  const parsed = parseBallot(['demo/a'])(`${stringify({ draft_scores: { 'Draft 1': written } })}${endMark}`);
  return parsed.ok ? parsed.value['demo/a'] : parsed.problem;
};

describe('a ballot', () => {
  it('has a reason for each category, wherever its writer puts it', () => {
    const wanted = { ...points, reason: '', reasons };
    assert.deepEqual(read({ ...points, reasons }), wanted);
    const together = Object.entries(points).map(([name, score]) => [
      name,
      { score, reason: reasons[name as keyof typeof reasons] },
    ]);
    assert.deepEqual(read(Object.fromEntries(together)), wanted);
    assert.deepEqual(read({ ...points, reasons: { risks: 'e' } }), {
      ...points,
      reason: '',
      reasons: { risks: 'e' },
    });
  });

  it('may have one reason for all of them', () => {
    const wanted = { ...points, reason: 'Thorough: "expiry".' };
    assert.deepEqual(read({ ...points, reason: 'Thorough: "expiry".' }), wanted);
    assert.deepEqual(read(points), { ...points, reason: '' });
  });
});

describe('the reasons of a vote', () => {
  const worlds = phaseWorlds();

  it('are stored by category, and those that quote nothing of their draft are marked', async () => {
    const world = await worlds('COUNCIL_VOTING_BEADS', { councilMembers: ['demo/second', 'demo/third'] });
    await world.put(
      'beads_drafts',
      draftsDocument({ 'demo/main': 'title: apples', 'demo/second': 'title: pears' }),
    );
    world.answers({
      'beads-vote': ({ whole }) => {
        const first = /### Draft 1\n\ntitle: (\w+)/.exec(whole)?.[1] ?? '';
        const other = first === 'apples' ? 'pears' : 'apples';
        const given = { coverage: `It says "${first}".`, risks: 'No.' };
        return `${stringify({
          draft_scores: {
            'Draft 1': { ...points, reasons: given },
            'Draft 2': { ...points, reason: `"${other}" it is.` },
          },
        })}${endMark}`;
      },
    });
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    const { votes } = CouncilVotes.parse(parse(await world.content('beads_votes')));
    assert.equal(votes.length, 3);
    for (const { order, scores } of votes) {
      assert.deepEqual(scores[order[0] ?? '']?.unquoted, ['risks']);
      assert.equal(scores[order[0] ?? '']?.reasons?.risks, 'No.');
      assert.equal(scores[order[1] ?? '']?.unquoted, undefined);
    }
  });

  it('reach the refiner with the labels that it knows, where the voters disagree, and without names', async () => {
    const world = await worlds('REFINING_BEADS', { councilMembers: ['demo/second'] });
    await world.put('prd', prdText());
    await world.put('beads_drafts', draftsDocument({ 'demo/main': 'loser', 'demo/second': 'mine' }));
    await world.put('beads_winner', winnerDocument('demo/second'));
    const score = { ...points, reason: '' };
    const votes = [
      {
        voter: 'demo/main',
        outcome: 'completed',
        order: ['demo/main', 'demo/second'],
        error: null,
        scores: {
          'demo/main': score,
          'demo/second': { ...score, risks: 20, reasons: { risks: 'Better than Draft 1.' } },
        },
      },
      {
        voter: 'demo/second',
        outcome: 'completed',
        order: ['demo/second', 'demo/main'],
        error: null,
        scores: {
          'demo/main': score,
          'demo/second': {
            ...score,
            risks: 8,
            coverage: 20,
            correctness: 13,
            reasons: { risks: 'Thin.' },
            unquoted: ['risks'],
          },
        },
      },
    ];
    await world.put('beads_votes', stringify({ schema_version: 1, votes }));
    world.answers({ 'beads-refine': stringify({ beads, changes: [] }) });
    assert.deepEqual(await world.drive(refineBeads), { exit: 'refined' });
    const asked = world.agent.calls[0]?.whole ?? '';
    const section = /## council_votes\n[\s\S]*$/.exec(asked)?.[0] ?? '';
    // Its own draft is Draft 1 to the refiner; the voter who wrote "Draft 1" meant the other one.
    assert.match(
      section,
      /### Draft 1\n[\s\S]*- risks: 14 of 20, spread 12, dissent: Voter 1, Voter 2\n {2}- Voter 1 gave 20: Better than Draft 2\./,
    );
    assert.match(section, /- Voter 2 gave 8: Thin\. \(quotes nothing of the draft\)/);
    assert.match(section, /### Draft 2\n/);
    assert.doesNotMatch(section, /demo\//);
  });

  it('are nothing where nobody voted', () => {
    assert.equal(votesText([], ['demo/main']), '');
  });
});
