import assert from 'node:assert/strict';
import type { Settings } from '../../../src/domain/settings/settings.ts';
import { coding } from '../../../src/phases/coding/coding.ts';
import { executionWorlds, report } from '../../support/engine/executionWorld.ts';
import type { FakeCall } from '../../support/models/fakeAgent.ts';

describe('the order of prompts', () => {
  const newWorld = executionWorlds();
  const partsOf = ({ whole }: FakeCall): readonly string[] =>
    Array.from(whole.matchAll(/^## ([a-z_]+)\n.*\n\n(?:`{3,}$|>)/gm), ([, name = '']) => name);

  it('CP-M6: puts what failed before behind what every iteration gets alike', async () => {
    const world = await newWorld.in('CODING', { limits: { maxIterations: 3, maxContinuations: 0 } });
    await world.put('user_context', 'Greet politely.');
    world.answers({ coding: report('greet'), 'coding-note': 'It did nothing.' });
    await world.drive({ coding });
    const prompts = world.agent.calls.filter(({ task }) => task === 'coding').map(partsOf);
    assert.equal(prompts.length, 3);
    const [first = [], second = [], third = []] = prompts;
    assert.ok(!first.includes('bead_notes'));
    assert.equal(second.indexOf('bead_notes'), second.indexOf('user_context') + 1);
    assert.deepEqual(third, second, 'and there it stays');
    assert.deepEqual(
      second.filter((name) => name !== 'bead_notes'),
      first,
    );
  });

  it('AT-19: is the same for the personas of a party, whichever of them ends first', async () => {
    const world = await newWorld();
    world.agent.known = ['demo/main', 'other/third'];
    const settings = {
      depth: 'full',
      councilMembers: ['other/third'],
      review: 'party',
    } satisfies Partial<Settings>;
    await world.begin('CODING', {
      settings,
      beads: [{}, { id: 'second', testCommands: ['true'], unprovedReason: 'Nothing changes.' }],
    });
    const none = '```json\n{"checked":["Each criterion."],"findings":[]}\n```\nEND_OF_ANSWER';
    world.answers({
      coding: ({ whole }) => {
        world.write('greet.txt', whole.includes('"id": "greet"') ? 'hello\n' : 'hello again\n');
        return whole.includes('"id": "greet"') ? report('greet') : report('second');
      },
      review: none,
    });
    await world.drive({ coding });
    const reviews = world.agent.calls.filter(({ task }) => task === 'review');
    assert.ok(reviews.length >= 4, String(reviews.length));
    const byBead = Map.groupBy(reviews, ({ whole }) => whole.includes('"id": "greet"'));
    for (const some of byBead.values()) {
      assert.ok(some.length > 1);
      const shared = new Set(some.map(({ whole }) => whole.slice(0, whole.indexOf('## persona'))));
      assert.equal(shared.size, 1, 'all but the persona is the same, to the byte');
    }
  });
});
