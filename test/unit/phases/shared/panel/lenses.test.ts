import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { CouncilDrafts } from '../../../../../src/domain/council/council.ts';
import { completeSettings, lensOf, type Settings } from '../../../../../src/domain/settings/settings.ts';
import { draftInterview } from '../../../../../src/phases/interview/questionList.ts';
import { refinePrd } from '../../../../../src/phases/prd/prd.ts';
import { type FakeCall, unavailable } from '../../../../support/models/fakeAgent.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import {
  draftsDocument,
  interviewDocument,
  prd,
  questions,
  winnerDocument,
} from '../../../../support/models/planningAnswers.ts';
import { until } from '../../../../support/until.ts';

const lensIn = ({ whole }: FakeCall): string | undefined => /## lens\n[^\n]*\n\n> (\w+)\n/.exec(whole)?.[1];

describe('the lens of a council member', () => {
  const worlds = phaseWorlds();

  const drafted = async (settings: Partial<Settings>): Promise<Record<string, string | undefined>> => {
    const world = await worlds('COUNCIL_DELIBERATING', settings);
    world.agent.answer = () => stringify({ questions });
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    return Object.fromEntries(world.agent.calls.map((call) => [call.member, lensIn(call)]));
  };

  it('is the next of the list, which starts again, and the last part of the prompt', async () => {
    assert.deepEqual(
      await drafted({ councilMembers: ['demo/second', 'demo/third'], councilLenses: ['users', 'tests'] }),
      { 'demo/main': 'users', 'demo/second': 'tests', 'demo/third': 'users' },
    );
    const world = await worlds('COUNCIL_DELIBERATING', { councilMembers: ['demo/second'] });
    world.agent.answer = () => stringify({ questions });
    await world.drive(draftInterview);
    for (const { whole } of world.agent.calls) assert.match(whole, /## lens\n(?:(?!\n## )[\s\S])*$/);
  });

  it('is nothing in a council of one, or where the list is empty', async () => {
    assert.deepEqual(await drafted({ depth: 'solo', councilMembers: [], minCouncilQuorum: 1 }), {
      'demo/main': undefined,
    });
    assert.deepEqual(await drafted({ councilMembers: ['demo/second'], councilLenses: [] }), {
      'demo/main': undefined,
      'demo/second': undefined,
    });
    assert.equal(lensOf(completeSettings({ mainImplementer: 'demo/main' }), 0), undefined);
  });
});

describe('members of a council that share a model', () => {
  const worlds = phaseWorlds();

  it('follow when the first of them has ended; other models wait for nobody', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', {
      councilMembers: ['demo/main@high', 'demo/second', 'demo/main@low'],
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    world.agent.answer = ({ member }) => (member === 'demo/main' ? promise : stringify({ questions }));
    const driven = world.drive(draftInterview);
    await until(() => world.agent.calls.length === 2, 'the first of each model is asked');
    assert.deepEqual(world.agent.calls.map(({ member }) => member).sort(), ['demo/main', 'demo/second']);
    resolve(stringify({ questions }));
    assert.deepEqual(await driven, { exit: 'ready' });
    const { drafts } = CouncilDrafts.parse(parse(await world.content('interview_drafts')));
    assert.deepEqual(
      drafts.map(({ member, outcome }) => [member, outcome]),
      ['demo/main', 'demo/main@high', 'demo/second', 'demo/main@low'].map((member) => [member, 'completed']),
    );
  });

  it('follow, too, when the first of them fails', async () => {
    const world = await worlds('COUNCIL_DELIBERATING', { councilMembers: ['demo/main@high'] });
    world.agent.answer = ({ member }) => (member === 'demo/main' ? unavailable : stringify({ questions }));
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    assert.equal(world.agent.calls.at(-1)?.member, 'demo/main@high');
  });
});

describe('a council of one', () => {
  const worlds = phaseWorlds();

  it('reviews its own draft in a fresh session, in one call', async () => {
    const world = await worlds('REFINING_PRD', { depth: 'solo', councilMembers: [], minCouncilQuorum: 1 });
    await world.put('interview', stringify(interviewDocument()));
    await world.put('prd_drafts', draftsDocument({ 'demo/main': 'mine' }));
    await world.put('prd_winner', winnerDocument());
    await world.put('full_answers:demo/main', stringify(interviewDocument()));
    world.answers({ 'prd-refine': stringify({ ...prd, changes: [] }) });
    assert.deepEqual(await world.drive(refinePrd), { exit: 'refined' });
    assert.equal(world.agent.calls.length, 1);
    const asked = world.agent.calls[0]?.whole ?? '';
    assert.match(asked, /holds only Draft 1, there is no alternative[\s\S]*find its defects/);
    assert.doesNotMatch(asked, /### Draft 2/);
  });
});
