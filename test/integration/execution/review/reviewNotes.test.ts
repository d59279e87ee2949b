import assert from 'node:assert/strict';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { waitingNotes } from '../../../../src/app/tickets/ticketView.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import type { FakeCall } from '../../../support/models/fakeAgent.ts';

const gone = { kind: 'auth', message: 'the model is gone', statusCode: 401, continuable: false } as const;

describe('what people say to a review that fails', () => {
  const newWorld = executionWorlds();
  let world: ExecutionWorld;
  beforeEach(async () => {
    world = await newWorld();
    world.agent.known = ['demo/main', 'demo/second', 'other/third'];
    const more = {
      id: 'more',
      title: 'Greet more',
      testCommands: ['grep -q more more.txt'],
      targetFiles: ['more.txt'],
    };
    await world.begin('CODING', {
      settings: { depth: 'full', councilMembers: ['demo/second', 'other/third'], review: 'standard' },
      beads: [{}, more],
    });
  });

  const clean = '```json\n{"checked":["Each criterion."],"findings":[]}\n```\nEND_OF_ANSWER';
  const coded = ({ whole }: FakeCall): string => {
    const bead = whole.includes('more.txt') ? 'more' : 'greet';
    world.write(bead === 'more' ? 'more.txt' : 'greet.txt', bead === 'more' ? 'more\n' : 'hello\n');
    return report(bead);
  };
  const say = (): Promise<string> => world.post('review_note', { text: 'Ada is the point of it.' });
  const isTold = ({ whole }: FakeCall): boolean => /From the user[^]*Ada is the point of it\./.test(whole);
  const waiting = async (): Promise<readonly string[]> =>
    (await waitingNotes(world.store, world.ticket)).map(({ text }) => text);
  const recorded = async (): Promise<number> =>
    (await world.records()).filter(({ payload }) => 'review_note' in payload).length;
  const log = (): string =>
    world.events.flatMap((event) => (event.type === 'activity' ? [event.text] : [])).join('\n');
  const ended = async (): Promise<void> => {
    const { status, error } = await world.read();
    assert.equal(status, 'RUNNING_FINAL_TEST', JSON.stringify(error));
  };

  it('waits for the next review, and is shown to wait until then', async () => {
    const id = await say();
    world.answers({
      coding: coded,
      review: async ({ turn }) => {
        if (turn === 1) return gone;
        assert.deepEqual(await waiting(), ['Ada is the point of it.']);
        assert.match(log(), /1 note to the reviewer waits for the next review/);
        return clean;
      },
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(world.callsOf('review').map(isTold), [true, true]);
    assert.deepEqual([await world.outcome(id), await waiting(), await recorded()], ['consumed', [], 1]);
  });

  it('waits, too, if it was said while the reviewer worked', async () => {
    world.answers({
      coding: coded,
      review: async (call) => {
        if (call.turn === 1) await say();
        // The question that repeats all that was said fails as well.
        return call.turn === 2 && isTold(call) ? gone : clean;
      },
      'review-note': 'I like it.',
    });
    await world.drive({ coding });
    await ended();
    assert.deepEqual(world.callsOf('review').map(isTold), [false, true, true]);
    assert.deepEqual([await waiting(), await recorded()], [[], 1]);
  });

  it('stays where nobody reviews any more', async () => {
    await say();
    world.answers({ coding: coded, review: gone });
    await world.drive({ coding });
    await ended();
    assert.deepEqual([await waiting(), await recorded()], [['Ada is the point of it.'], 1]);
  });

  it('is told again to the review of another iteration after a crash and a retry', async () => {
    await say();
    world.answers({
      coding: coded,
      review: ({ turn }) => {
        if (turn === 1) world.crash();
        return clean;
      },
    });
    await world.driveUntilKilled({ coding });
    const open = await world.store.openRun(world.ticket, 'CODING');
    await world.store.commit({
      ticket: world.ticket,
      journal: [{ kind: 'run.closed', run: open?.id ?? '', state: 'archived', exit: null }],
    });
    await world.drive({ coding });
    await ended();
    const [first, second, ...others] = world.callsOf('review').map(isTold);
    assert.deepEqual([first, second, others], [true, true, [false]]);
    assert.deepEqual([await waiting(), await recorded()], [[], 1]);
  });
});
