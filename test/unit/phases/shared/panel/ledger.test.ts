import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { CouncilLedger } from '../../../../../src/domain/council/ledger.ts';
import { CouncilVotes } from '../../../../../src/domain/council/council.ts';
import { survivalOf } from '../../../../../src/domain/council/survival.ts';
import { refineBeads, draftBeads } from '../../../../../src/phases/plan/blueprint.ts';
import { voteCouncil } from '../../../../../src/phases/shared/panel/voteCouncil.ts';
import { unavailable } from '../../../../support/models/fakeAgent.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import { ballot, beads, draftsDocument, winnerDocument } from '../../../../support/models/planningAnswers.ts';

const [greet, nobody] = beads;
const taken = 'An empty name is refused with a reason that says so';
const other = { ...greet, title: 'Do it otherwise', acceptanceCriteria: [taken, 'It greets.'] };
const refined = [{ ...greet, acceptanceCriteria: ['It greets.', `${taken}.`] }, nobody];

describe('what survives of a draft', () => {
  it('is what the result says and the winner didn’t, word for word or nearly', () => {
    const drafts = new Map<string, unknown>([
      ['won', { a: ['The total is rounded to cents', 'Codes are kept'] }],
      [
        'lent',
        {
          a: [
            'the total is rounded to cents.',
            'An expired code leaves the total as it was before',
            'Say why',
            'Codes expire',
          ],
        },
      ],
      ['lost', { a: ['Nothing of this is anywhere to be found'] }],
    ]);
    const result = {
      b: [
        'The total is rounded to cents',
        'An expired code leaves the total exactly as it was',
        'say  Why',
        'Own idea of it',
      ],
    };
    const found = survivalOf(drafts, 'won', result);
    assert.deepEqual(found.get('lent'), {
      texts: 4,
      survived: ['An expired code leaves the total as it was before', 'Say why'],
    });
    assert.deepEqual(found.get('won'), { texts: 2, survived: ['The total is rounded to cents'] });
    assert.deepEqual(found.get('lost'), { texts: 1, survived: [] });
  });
});

describe('the ledger of a council', () => {
  const worlds = phaseWorlds();

  it('has each member’s calls, time and tokens, and what of its draft survived', async () => {
    const world = await worlds('DRAFTING_BEADS', { councilMembers: ['demo/second', 'demo/main@low'] });
    world.agent.answer = ({ task, member }) => {
      if (task === 'beads-draft') return stringify({ beads: member === 'demo/second' ? [other] : beads });
      return task === 'beads-vote' ? ballot(10, 10) : stringify({ beads: refined, changes: [] });
    };
    assert.deepEqual(await world.drive(draftBeads), { exit: 'ready' });
    await world.enter('COUNCIL_VOTING_BEADS');
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    await world.enter('REFINING_BEADS');
    assert.deepEqual(await world.drive(refineBeads), { exit: 'refined' });
    const ledger = CouncilLedger.parse(parse(await world.content('beads_ledger')));
    assert.equal(ledger.winner, 'demo/main');
    assert.deepEqual(
      ledger.members.map(({ member, calls, isShared }) => [member, calls, isShared]),
      [
        ['demo/main', 3, true],
        ['demo/second', 2, false],
        ['demo/main@low', 2, true],
      ],
    );
    for (const { member, input, output } of ledger.members) assert.ok(input > 0 && output > 0, member);
    assert.deepEqual([ledger.members[1]?.survived, ledger.members[1]?.examples], [1, [taken]]);
    assert.equal(ledger.soloWouldDo, false);
  });

  it('says when one model alone would have done', async () => {
    for (const members of [['demo/second'], []]) {
      const world = await worlds('REFINING_BEADS', { councilMembers: members });
      const drafts = Object.fromEntries(
        ['demo/main', ...members].map((member) => [
          member,
          stringify({ beads: member === 'demo/main' ? beads : [other] }),
        ]),
      );
      await world.put('beads_drafts', draftsDocument(drafts));
      await world.put('beads_winner', winnerDocument());
      world.answers({ 'beads-refine': stringify({ beads, changes: [] }) });
      assert.deepEqual(await world.drive(refineBeads), { exit: 'refined' });
      assert.equal(
        CouncilLedger.parse(parse(await world.content('beads_ledger'))).soloWouldDo,
        members.length > 0,
      );
    }
  });
});

describe('a council of two of which one fails', () => {
  const worlds = phaseWorlds();

  it('says that fewer decided than the quorum asks for', async () => {
    const world = await worlds('DRAFTING_BEADS', { councilMembers: ['demo/second'] });
    world.agent.answer = ({ member }) => (member === 'demo/second' ? unavailable : stringify({ beads }));
    assert.deepEqual(await world.drive(draftBeads), { exit: 'ready' });
    assert.ok(
      world.activity.some((line) => /^engine: Only 1 valid .* of 2 that the quorum asks for/.test(line)),
      world.activity.join('\n'),
    );
    await world.enter('COUNCIL_VOTING_BEADS');
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    assert.deepEqual(CouncilVotes.parse(parse(await world.content('beads_votes'))).fewer, {
      decided: 1,
      wanted: 2,
    });
  });

  it('says nothing where all decide', async () => {
    const world = await worlds('DRAFTING_BEADS', { councilMembers: ['demo/second'] });
    world.agent.answer = () => stringify({ beads });
    assert.deepEqual(await world.drive(draftBeads), { exit: 'ready' });
    assert.ok(!world.activity.some((line) => line.includes('quorum')));
  });
});
