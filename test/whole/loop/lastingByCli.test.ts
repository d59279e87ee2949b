import assert from 'node:assert/strict';
import { ending, promptOf } from '../../support/cliTicket.ts';
import { holds, loopsByCli, report, write } from '../../support/loopTicket.ts';
import { until } from '../../support/until.ts';

const works = (word: string) => ({ calls: [write('greet.txt', `hello ${word}\n`)], text: report() });

/** Loops outlast their provider and their driver. */
describe('a lasting loop on the command line', function () {
  this.timeout(600_000);
  const makeLoop = loopsByCli();

  it('AT-37: waits for a provider that is over its quota until a known time, and uses up no pass', async () => {
    const loop = await makeLoop({ tasks: { coding: [{ fault: 'http-429' }] } });
    const driver = loop.begin('--max', '2', '--iterations', '1', '--provider-retries', '0');
    const isHeld = () =>
      driver.events.some((event) => event.type === 'hold' && event.hold === 'quota' && event.until !== null);
    await until(() => isHeld() || driver.child.exitCode !== null, 'the ticket waits', 90_000);
    assert.equal(driver.child.exitCode, null, driver.stdout.slice(-1_500));
    loop.ticket.script({ coding: [works('at last')] });
    ending(0, await driver.ended);
    assert.deepEqual(await loop.passes(), ['1 passed validated_complete']);
    assert.deepEqual([...new Set((await loop.ticket.records()).map((record) => record['iteration']))], [1]);
  });

  it('AT-38: continues in the pass in which its driver was killed, with those before it as they were', async () => {
    const loop = await makeLoop();
    const second = {
      when: { part: 'iteration', has: 'Pass 2' },
      calls: [write('greet.txt', 'hello again\n'), holds(loop.ticket.folder, 'second')],
      text: report(),
    };
    loop.ticket.script({ coding: [second, works('once')] });
    const driver = loop.begin('--min', '2', '--max', '3');
    await until(
      () => loop.firsts.length > 1 || driver.child.exitCode !== null,
      'the second pass works',
      90_000,
    );
    driver.child.kill('SIGKILL');
    await driver.ended;
    await loop.letGo('second');
    ending(0, await loop.goOn());
    assert.equal(
      loop.firsts.filter((sent) => promptOf(sent).includes('Pass 1 of ')).length,
      1,
      'the first pass isn’t sent again',
    );
    assert.deepEqual(await loop.passes(), ['1 claimed_early null', '2 passed validated_complete']);
  });
});
