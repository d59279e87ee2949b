import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/script/documentText.ts';
import { BeadRecords } from '../../../src/domain/documents/beadRecords.ts';
import { brokenAt } from '../../../src/domain/records/records.ts';
import { type CliTicket, cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';
import { givesUp } from '../../support/models/failedBead.ts';
import { until } from '../../support/until.ts';
import { greetingFinding, greetingEdit } from '../../support/models/greetingReview.ts';

const tasks = {
  coding: [givesUp(bead)],
  review: [{ text: yamlFence({ checked: ['What the title asks for.'], findings: [greetingFinding(bead)] }) }],
  fix: [{ calls: [{ tool: 'edit', args: greetingEdit(bead) }] }],
};
/** In the order of the ticket, less often in one iteration than makes it block. */
const killed = [
  ['kickoff', 'failure-analysis', 'review', 'fix', 'retrospective'],
  ['coding', 'party-vote', 'review-again'],
];
const phases = [
  '--kickoff',
  '--failure-analysis',
  'auto',
  '--continuations',
  '0',
  '--review',
  'party',
  '--reviewer',
  'scripted/beta',
  '--retrospective',
];

const end = ['--end', 'merge'];

/** With SIGKILL in each of its talks. */
describe('a killed driver on the command line', function () {
  this.timeout(900_000);
  const makeTicket = cliTickets();

  const told = async (ticket: CliTicket) =>
    (await ticket.records()).map(
      (record) => `${String(record['bead'])} ${String(record['iteration'])} ${record.kind}`,
    );
  const tree = (ticket: CliTicket) => ticket.repository.git('rev-parse', 'ticket/SAMPL-1^{tree}');

  async function killing(ticket: CliTicket, asked: readonly string[]): Promise<void> {
    for (const [at, task] of asked.entries()) {
      const driver =
        at === 0
          ? ticket.beginRun(...phases, ...end)
          : ticket.begin('run', 'SAMPL-1', '--approve', 'all', ...end, ...ticket.driving);
      await until(
        () => ticket.of(task).length > 0 || driver.child.exitCode !== null,
        `${task} is asked`,
        120_000,
      );
      assert.equal(
        driver.child.exitCode,
        null,
        `${task}: ${JSON.stringify(driver.events.filter((event) => event.type === 'error'))}`,
      );
      driver.child.kill('SIGKILL');
      await driver.ended;
    }
    ending(0, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...end, ...ticket.driving));
  }

  it('AT-23: continues where it was, has each entry of the records once and in their chain, and makes the same files', async () => {
    const undisturbed = await makeTicket({ tasks });
    ending(0, await undisturbed.run(...phases, ...end));
    for (const asked of killed) {
      const ticket = await makeTicket({ tasks });
      await killing(ticket, asked);
      const records = BeadRecords.parse(await ticket.records());
      assert.equal(brokenAt(records), undefined);
      assert.deepEqual(await told(ticket), await told(undisturbed), asked.join(', '));
      assert.equal(await tree(ticket), await tree(undisturbed));
    }
  });
});
