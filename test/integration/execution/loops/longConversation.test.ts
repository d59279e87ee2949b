import assert from 'node:assert/strict';
import { readPrompt } from '../../../../src/demo/script/promptParts.ts';
import type { Settings } from '../../../../src/domain/settings/settings.ts';
import { EarlierTurns } from '../../../../src/domain/conversation/turns.ts';
import { coding } from '../../../../src/phases/coding/coding.ts';
import { type ExecutionWorld, executionWorlds, report } from '../../../support/engine/executionWorld.ts';
import type { FakeCall } from '../../../support/models/fakeAgent.ts';

describe('passes in one session that says more and more', () => {
  const newWorld = executionWorlds();
  const part = ({ whole }: Pick<FakeCall, 'whole'>, name: string): string | undefined =>
    readPrompt(whole).parts.get(name);

  /** Each reads a long text of its own. */
  async function passed(settings: Partial<Settings> = {}): Promise<ExecutionWorld> {
    const world = await newWorld();
    // The conversation may have 15 % of it, less than three passes.
    const passes = { minPasses: 5, maxPasses: 5, freshPasses: false, tokenBudget: 30_000 };
    await world.begin('CODING', {
      settings: { ...passes, ...settings },
      limits: { maxIterations: 1, maxContinuations: 1 },
    });
    const { agent } = world;
    const said = new Map<string, string>();
    const work = ({ whole }: FakeCall): string => {
      const [, pass = ''] = /Pass (\d) of/.exec(part({ whole }, 'iteration') ?? '') ?? [];
      world.write('greet.txt', `hello ${pass}\n`);
      said.set(whole, Array.from({ length: 300 }, (_, line) => `said-${pass}-${String(line)}`).join('\n'));
      return report('greet');
    };
    world.answers({ coding: work, 'coding-continue': work });
    const transcript = agent.transcript.bind(agent);
    agent.transcript = async (session) => {
      let output = '';
      return (await transcript(session))?.map((message) => {
        if (message.role === 'user') output = said.get(message.text) ?? '';
        const calls = [{ id: output.slice(0, 12), tool: 'bash', about: 'seq 300' }];
        return message.role === 'user'
          ? message
          : { ...message, calls, results: [{ id: output.slice(0, 12), output }] };
      });
    };
    await world.drive({ coding }, 'RUNNING_FINAL_TEST');
    return world;
  }
  const firsts = ({ agent }: ExecutionWorld) => agent.calls.filter(({ task }) => task === 'coding');

  it('AT-9: continues in a fresh session with its last two turns whole and the older ones without output, once in an iteration', async () => {
    const world = await passed();
    const [first, second, ...more] = firsts(world);
    assert.ok(first && second);
    assert.equal(more.length, 0, 'once in an iteration');
    assert.notEqual(second.session, first.session);
    assert.equal(part(first, 'history'), undefined);
    const [history, last] = [part(second, 'history') ?? '', part(second, 'last_turns') ?? ''];
    assert.match(history, /### Turn 1[^]*\[bash .*\] gave \d{4,} characters, which are left out here/);
    assert.doesNotMatch(history, /said-1-7\b|### Turn 2/);
    assert.doesNotMatch(last, /### Turn 1|said-1-/);
    assert.match(last, /### Turn 2[^]*said-2-7\n[^]*### Turn 3[^]*said-3-7\n/);
    assert.notEqual(part(second, 'bead_data'), undefined, 'the task is told again');
    assert.match(part(second, 'iteration') ?? '', /^Pass 4 /);
    const kept = await world.store.artifact(world.ticket, `earlier_turns:${second.session}`);
    const { turns } = EarlierTurns.parse(JSON.parse(kept?.content ?? ''));
    assert.equal(turns.length, 3);
    assert.match(JSON.stringify(turns[0]), /said-1-7/, 'nothing is lost');
  });

  it('AT-9: stays whole where a person wants that', async () => {
    assert.equal(firsts(await passed({ longConversations: 'off' })).length, 1);
  });
});
