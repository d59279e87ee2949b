import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { runCommand } from '../../../src/demo/generic/execution.ts';
import { ending, partOf } from '../../support/cliTicket.ts';
import { holds, type LoopByCli, loopsByCli, loopTicket, report, write } from '../../support/loopTicket.ts';

const model = { cost: { input: 100, output: 100, cache_read: 100 } };
const works = { calls: [write('greet.txt', 'hello\n')], text: report() };
/** The second pass makes one request after the other. */
const goesOn = ['one', 'two', 'three', 'four', 'five', 'six'].map((word) => runCommand(`echo ${word}`));
const second = {
  when: { part: 'iteration', has: 'Pass 2' },
  calls: [write('greet.txt', 'half\n'), ...goesOn],
  text: report(),
};

describe('the caps of a loop on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();

  it('AT-30: tells the next pass what failed, and no other after it passed', async () => {
    const wrong = {
      when: { part: 'iteration', has: 'Pass 1' },
      calls: [write('greet.txt', 'wrong\n')],
      text: report(),
    };
    const again = {
      when: { part: 'iteration', has: 'Pass 3' },
      calls: [write('greet.txt', 'hello again\n')],
      text: report(),
    };
    const loop = await makeLoop({ tasks: { coding: [wrong, again, works] } });
    ending(0, await loop.run('--min', '3', '--max', '4'));
    assert.deepEqual(await loop.passes(), [
      '1 rejected null',
      '2 claimed_early null',
      '3 passed validated_complete',
    ]);
    const evidence = loop.firsts.map((sent) => partOf(sent, 'failing_evidence'));
    assert.match(
      evidence[1] ?? '',
      /cat greet\.txt && grep -q hello greet\.txt[^]*exit(?:ed with| code)? 1[^]*wrong/,
    );
    assert.deepEqual([evidence.length, evidence[0], evidence[2]], [3, undefined, undefined]);
  });

  it('AT-32: end it by passes, tokens, cost and minutes, each with a code of its own, and keep the work of a pass that is cut', async () => {
    const half = async (loop: LoopByCli): Promise<void> => {
      assert.equal(await readFile(loop.inWorktree('greet.txt'), 'utf8'), 'half\n', 'the work is kept');
      assert.deepEqual(await loop.passes(), ['1 claimed_early null']);
    };
    // A minute is the least; the others run meanwhile.
    const timed = await makeLoop();
    const waits = { ...second, calls: [write('greet.txt', 'half\n'), holds(timed.ticket.folder, 'never')] };
    timed.ticket.script({ coding: [waits, works] });
    const minutes = timed.run('--min', '2', '--max', '2', '--time-cap', '1');

    const numbered = await makeLoop({
      tasks: { coding: [{ calls: [write('greet.txt', 'wrong\n')], text: report() }] },
    });
    const passes = ending(10, await numbered.run('--max', '2', '--iterations', '1'));
    assert.ok(passes.some((event) => event.type === 'end' && event.exit === 10));
    assert.deepEqual(await numbered.passes(), ['1 rejected null', '2 rejected max_passes']);
    assert.equal(
      await numbered.ticket.repository.git('show', `refs/beadsmith/${loopTicket}/loop/1:greet.txt`),
      'wrong',
    );

    const counted = await makeLoop({ tasks: { coding: [second, works] } });
    ending(11, await counted.run('--min', '2', '--max', '2', '--token-cap', '9500'));
    await half(counted);

    const paid = await makeLoop({ tasks: { coding: [second, works] }, model });
    ending(12, await paid.run('--min', '2', '--max', '2', '--cost-cap', '95'));
    await half(paid);

    ending(13, await minutes);
    await half(timed);
  });
});
