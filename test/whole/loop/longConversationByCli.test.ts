import assert from 'node:assert/strict';
import { runCommand } from '../../../src/demo/generic/execution.ts';
import { ending, partOf } from '../../support/cliTicket.ts';
import { type LoopByCli, loopsByCli, loopTicket, report, write } from '../../support/loopTicket.ts';

/** The long text belongs to this pass alone. */
const pass = (number: number) => ({
  when: { part: 'iteration', has: `Pass ${String(number)} ` },
  calls: [
    write('greet.txt', `hello ${String(number)}\n`),
    runCommand(`for i in $(seq 700); do echo said-${String(number)}-$i; done`),
  ],
  text: report(),
});
const fivePasses = [1, 2, 3, 4, 5].map(pass);

/** One session says more and more. */
describe('a long conversation on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();
  const run = async (loop: LoopByCli, ...words: readonly string[]): Promise<void> => {
    ending(0, await loop.run('--min', '5', '--max', '5', '--same-session', ...words));
    assert.equal((await loop.passes()).at(-1), '5 passed validated_complete');
  };

  it('AT-9: continues in a fresh session with its last two turns whole and the older ones without output, once in an iteration', async () => {
    const loop = await makeLoop({ tasks: { coding: fivePasses, 'coding-continue': fivePasses } });
    await run(loop);
    const [first, second, ...more] = loop.firsts;
    assert.ok(first && second);
    assert.equal(more.length, 0, 'once in an iteration');
    assert.equal(partOf(first, 'history'), undefined);
    const [history, last] = [partOf(second, 'history') ?? '', partOf(second, 'last_turns') ?? ''];
    assert.match(history, /### Turn 1[^]*\[bash .*\] gave \d{4,} characters, which are left out here/);
    assert.doesNotMatch(history, /said-1-7\b|### Turn 2/);
    assert.doesNotMatch(last, /### Turn 1|said-1-/);
    assert.match(last, /### Turn 2[^]*said-2-7\n[^]*### Turn 3[^]*said-3-7\n/);
    assert.notEqual(partOf(second, 'bead_data'), undefined, 'the task is told again');
    assert.match(partOf(second, 'iteration') ?? '', /Pass 4 /);
    const { ticket } = loop;
    const calls = ending(0, await ticket.cli('context', loopTicket)).flatMap((event) =>
      event.type === 'inspection' ? [event] : [],
    );
    const folded = calls.find(({ parts }) => parts.some(({ name }) => name === 'history'));
    assert.ok(folded);
    const originals = ending(
      0,
      await ticket.cli('context', loopTicket, String(folded.number), '--turns'),
    ).find((event) => event.type === 'document');
    assert.match(originals?.content ?? '', /### Turn 1[^]*said-1-7\n[^]*### Turn 3/, 'nothing is lost');
  });

  it('AT-9: stays whole where a person wants that', async () => {
    const loop = await makeLoop({ tasks: { coding: fivePasses, 'coding-continue': fivePasses } });
    await run(loop, '--long-conversations', 'off');
    assert.equal(loop.firsts.length, 1);
  });
});
