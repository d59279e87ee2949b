import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { BeadsmithError } from '../../../../../src/domain/core/errors.ts';
import { draftInterview } from '../../../../../src/phases/interview/questionList.ts';
import { questions } from '../../../../support/models/planningAnswers.ts';
import { type PhaseWorld, phaseWorlds } from '../../../../support/engine/phaseWorld.ts';

describe('a person’s own prompt in a call', () => {
  const worlds = phaseWorlds();
  let world: PhaseWorld;
  const override = 'b'.repeat(64);
  const refusal = { path: 'interview-draft.md', reason: 'it has no front matter' };
  const refused = {
    read: () => Promise.reject(new BeadsmithError('PROMPT_REFUSED', refusal)),
    overrides: async () => [],
    personas: async () => [],
  };

  beforeEach(async () => {
    world = await worlds('COUNCIL_DELIBERATING', { depth: 'solo', councilMembers: [] });
    world.answers({ 'interview-draft': stringify({ questions }) });
  });

  it('is what the model gets, and its hash is kept with the call', async () => {
    const { prompts } = world;
    world.prompts = {
      ...prompts,
      read: async (name) => ({
        text: (await prompts.read(name)).text.replace('Rules:', 'Ask in rhymes.\n\nRules:'),
        override,
      }),
    };
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    assert.match(world.agent.calls[0]?.whole ?? '', /Ask in rhymes\./);
    const calls = await world.store.calls('TST-1');
    assert.deepEqual(
      calls.map(({ plan }) => plan.override),
      [override],
    );
  });

  it('changes no step that has ended', async () => {
    world.killAt = 'exit';
    assert.equal(await world.drive(draftInterview), 'killed');
    world.prompts = refused;
    assert.deepEqual(await world.drive(draftInterview), { exit: 'ready' });
    assert.equal(world.agent.calls.length, 1);
  });

  it('that can’t be used blocks with its reason, and nothing is asked', async () => {
    world.prompts = refused;
    await assert.rejects(world.drive(draftInterview), /it has no front matter/);
    assert.equal(world.agent.calls.length, 0);
  });
});
