import assert from 'node:assert/strict';
import * as z from 'zod';
import { type CliProcess, eventsOf } from '../support/cliProcess.ts';
import { type CliTicket, cliTickets, ending } from '../support/cliTicket.ts';
import { until } from '../support/until.ts';

const End = z.object({
  journal: z.object({ ok: z.boolean() }),
  commits: z.array(z.object({ bead: z.string() })),
});
const solo = ['--model', 'scripted/alpha', '--depth', 'solo'];

/** By people, the system, and limits. */
describe('the command line, interrupted', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();
  let place: CliTicket;

  beforeEach(async () => (place = await makeTicket()));

  it('loses nothing when it is stopped, killed, or not the only one', async () => {
    const all = ['--approve', 'all'];
    const first = place.begin('run', '--title', 'Add a greeting', ...solo, ...all, ...place.driving);
    await reached(first, 'DRAFTING_PRD');
    first.child.kill('SIGINT');
    const stopped = await first.ended;
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stdout, /"next":\["beadsmith run SAMPL-1/);

    const second = place.begin('run', 'SAMPL-1', ...all, ...place.driving);
    await reached(second, 'EXPANDING_BEADS');
    second.child.kill('SIGKILL');
    await second.ended;

    const driver = place.begin('run', 'SAMPL-1', ...all, ...place.driving);
    await reached(driver, 'CODING');
    const follower = place.begin('run', 'SAMPL-1', ...all, ...place.driving);
    await until(
      () =>
        follower.events.some(
          (event) => event.type === 'note' && event.message.includes('Another process is working'),
        ),
      'it follows',
      60_000,
    );
    // The follower takes the driver's place.
    driver.child.kill('SIGKILL');
    await driver.ended;
    const end = await follower.ended;
    assert.equal(end.code, 0, `${end.stdout}\n${end.stderr}`);
    const whole = End.parse(eventsOf(end.stdout).at(-1));
    assert.equal(whole.journal.ok, true);
    assert.equal(whole.commits.length > 0, true);
  });

  it('says which limit paused it, takes a higher one, and continues in the same step without a new attempt', async () => {
    await to(11, 'SCANNING_RELEVANT_FILES', 'run', '--title', 'Greet by name', ...solo, '--token-cap', '1');
    const shown = await place.cli('show', 'SAMPL-1');
    assert.match(shown.stdout, /BUDGET_EXHAUSTED.*limits SAMPL-1 --token-cap MORE/);
    const present = await place.cli('limits', 'SAMPL-1');
    assert.match(present.stdout, /tokenCap: 1 # tokens/);
    assert.match(present.stdout, /maxIterations: 5\b/);
    await to(
      11,
      'SCANNING_RELEVANT_FILES',
      'limits',
      'SAMPL-1',
      '--token-cap',
      '0',
      '--reason',
      'It is worth it.',
    );
    assert.match((await place.cli('show', 'SAMPL-1', 'limits_receipt')).stdout, /It is worth it\./);
    await to(3, 'WAITING_INTERVIEW_ANSWERS', 'continue', 'SAMPL-1');
    const journal = (await place.cli('logs', 'SAMPL-1', '--journal')).stdout;
    assert.match(journal, /continues/);
    assert.doesNotMatch(journal, /new attempts/);
  });

  async function to(exit: number, status: string, ...words: string[]): Promise<void> {
    const end = ending(exit, await place.cli(...words, ...place.driving)).at(-1);
    assert.equal(end?.type === 'end' && end.status, status);
  }

  async function reached(cli: CliProcess, status: string): Promise<void> {
    const there = (): boolean => cli.events.some((event) => event.type === 'status' && event.to === status);
    await until(() => there() || cli.child.exitCode !== null, `it is in ${status}`, 300_000);
    assert.ok(there(), `it ended before ${status}:\n${cli.stdout}\n${cli.stderr}`);
  }
});
