import assert from 'node:assert/strict';
import { parse, stringify } from 'yaml';
import { CouncilVotes } from '../../../../../src/domain/council/council.ts';
import { refineBeads } from '../../../../../src/phases/plan/blueprint.ts';
import { checksText } from '../../../../../src/phases/shared/panel/drafts.ts';
import { voteCouncil } from '../../../../../src/phases/shared/panel/voteCouncil.ts';
import { phaseWorlds } from '../../../../support/engine/phaseWorld.ts';
import {
  ballot,
  beads,
  draftsDocument,
  prd,
  winnerDocument,
} from '../../../../support/models/planningAnswers.ts';

const manifest = JSON.stringify({ scripts: { test: 'node --test' } });
const story = {
  ...prd.epics[0],
  id: 'EPIC-1',
  user_stories: [{ ...prd.epics[0]?.user_stories[0], id: 'US-1-1' }],
};
const approved = stringify({ ...prd, epics: [story] });
const [greet] = beads;
const good = stringify({ beads: [{ ...greet, prdRefs: ['US-1-1.AC1'], testCommands: ['npm test'] }] });
const bad = stringify({
  beads: [
    { ...greet, prdRefs: ['US-9-9'], description: 'Change src/nowhere.ts.', testCommands: ['npm run lint'] },
  ],
});

describe('the checks of drafts', () => {
  const worlds = phaseWorlds();

  it('are made once, and shown beside each draft to every voter, its author included', async () => {
    const world = await worlds('COUNCIL_VOTING_BEADS', { councilMembers: ['demo/second'] });
    world.git.files.set('package.json', manifest);
    let listings = 0;
    const list = world.git.regularFiles.bind(world.git);
    world.git.regularFiles = (...asked) => {
      listings += 1;
      return list(...asked);
    };
    await world.put('prd', approved);
    await world.put('beads_drafts', draftsDocument({ 'demo/main': good, 'demo/second': bad }));
    world.answers({ 'beads-vote': ballot(10, 10) });
    world.killAt = 'exit';
    assert.equal(await world.drive(voteCouncil), 'killed');
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    assert.equal(listings, 1);
    const { checks } = CouncilVotes.parse(parse(await world.content('beads_votes')));
    assert.deepEqual(checks?.['demo/main'], []);
    const found = checks['demo/second']?.join('\n') ?? '';
    for (const said of [
      /npm run lint.*no package\.json has the script “lint”/,
      /src\/nowhere\.ts/,
      /US-9-9/,
      /US-1-1\.AC1/,
    ])
      assert.match(found, said);
    assert.equal(world.agent.calls.length, 2);
    for (const { whole } of world.agent.calls) {
      const section = /## draft_checks\n[\s\S]*?```([\s\S]*?)```/.exec(whole)?.[1] ?? '';
      const place =
        /### Draft 1\n\nbeads:[\s\S]*?### Draft 2/.exec(whole)?.[0].includes('nowhere') === true ? 1 : 2;
      assert.match(section, new RegExp(`### Draft ${String(place)}\n\n- Commands that`));
      assert.match(section, new RegExp(`### Draft ${String(3 - place)}\n\n- Nothing was found`));
      assert.doesNotMatch(section, /demo\//);
    }
  });

  it('are made of a single draft, too, and reach the refiner', async () => {
    const world = await worlds('COUNCIL_VOTING_BEADS', {
      depth: 'solo',
      councilMembers: [],
      minCouncilQuorum: 1,
    });
    world.git.files.set('package.json', manifest);
    await world.put('beads_drafts', draftsDocument({ 'demo/main': bad }));
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    await world.enter('REFINING_BEADS');
    await world.put('beads_winner', winnerDocument());
    world.answers({ 'beads-refine': stringify({ ...(parse(bad) as object), changes: [] }) });
    await world.drive(refineBeads);
    assert.match(world.agent.calls[0]?.whole ?? '', /## draft_checks\n[\s\S]*### Draft 1\n\n- Commands that/);
  });

  it('refuse nothing: a draft that can’t be read and a repository without files have none', async () => {
    const world = await worlds('COUNCIL_VOTING_PRD', { councilMembers: ['demo/second'] });
    await world.put('prd_drafts', draftsDocument({ 'demo/main': 'plain', 'demo/second': '- [' }));
    world.answers({ 'prd-vote': ballot(10, 10) });
    assert.deepEqual(await world.drive(voteCouncil), { exit: 'winner' });
    assert.deepEqual(CouncilVotes.parse(parse(await world.content('prd_votes'))).checks, {
      'demo/main': [],
      'demo/second': [],
    });
    assert.equal(checksText({}, ['demo/main']), '');
  });
});
