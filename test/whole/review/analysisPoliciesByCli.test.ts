import assert from 'node:assert/strict';
import { type CliTicket, cliTickets, ending } from '../../support/cliTicket.ts';
import { analysisText, failingFast, givesUp } from '../../support/models/failedBead.ts';

const advice = (bead: string, recommendation: string) => ({
  when: { bead },
  text: analysisText({
    recommendation,
    rootCause: `Nothing was written, as ${recommendation} says.`,
    retryHint: `Hint to ${recommendation}.`,
  }),
});
const beads = [
  { id: 'tried' },
  { id: 'left' },
  { id: 'handed', needs: 'tried' },
  { id: 'last', needs: 'handed' },
];

/** Their first iterations do nothing; this is recommended for each. */
const failing = {
  coding: [givesUp('tried'), givesUp('left'), givesUp('handed')],
  'failure-analysis': [advice('tried', 'retry'), advice('left', 'skip'), advice('handed', 'escalate')],
};

/** A ticket for each policy, with beads that fail. */
describe('the policies of failure analysis on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  async function started(policy: string, tasks: unknown = failing): Promise<CliTicket> {
    const ticket = await makeTicket({ tasks });
    await ticket.plan(beads, ...failingFast, policy);
    return ticket;
  }
  const goOn = (ticket: CliTicket) => ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving);
  const follow = (ticket: CliTicket, ...words: string[]) =>
    ticket.cli('follow', 'SAMPL-1', ...words, '--approve', 'all', ...ticket.driving);
  const statuses = async (ticket: CliTicket) => {
    const shown = ending(0, await ticket.cli('show', 'SAMPL-1')).find(
      (event) => event.type === 'report',
    ) as unknown as {
      readonly beads: readonly { readonly id: string; readonly status: string }[];
    };
    return Object.fromEntries(shown.beads.map(({ id, status }) => [id, status]));
  };
  const hinted = (ticket: CliTicket, bead: string) =>
    ticket.of('coding').filter(({ request, body }) => request.bead === bead && /Hint to /.test(body)).length >
    0;

  it('AT-20: inform changes nothing, whatever is recommended: each bead is tried again without a hint', async () => {
    const ticket = await started('inform');
    ending(0, await goOn(ticket));
    assert.equal((await ticket.records()).filter(({ kind }) => kind === 'failure_analysis').length, 3);
    for (const { id } of beads) assert.ok(!hinted(ticket, id), id);
    assert.deepEqual(new Set(Object.values(await statuses(ticket))), new Set(['done']));
  });

  it('AT-20: suggest retries with the hint, and waits for the person before it skips or escalates', async () => {
    const ticket = await started('suggest');
    const asked: string[] = [];
    let ended = await goOn(ticket);
    while (ended.code === 4 && asked.length < 3) {
      const [bead = ''] =
        Object.entries(await statuses(ticket)).find(([, status]) => status === 'error') ?? [];
      asked.push(bead);
      ended = await follow(ticket, bead, bead === 'left' ? 'skip' : 'retry', '--reason', 'As a person says.');
    }
    ending(7, ended);
    assert.deepEqual(asked.toSorted(), ['handed', 'left']);
    assert.ok(hinted(ticket, 'tried'));
    assert.deepEqual(await statuses(ticket), {
      tried: 'done',
      left: 'skipped',
      handed: 'done',
      last: 'done',
    });
  });

  it('AT-20, AT-25: auto retries once for a root cause, skips what nothing needs and nothing else, and the ticket is no success', async () => {
    const tasks = {
      coding: [...failing.coding, givesUp('tried', 2)],
      'failure-analysis': [advice('tried', 'retry'), advice('left', 'skip'), advice('handed', 'skip')],
    };
    const ticket = await started('auto', tasks);
    const twice = ending(4, await goOn(ticket));
    assert.match(JSON.stringify(twice.at(-1)), /same root cause/);
    assert.equal((await statuses(ticket))['tried'], 'error');
    const needed = ending(4, await follow(ticket, 'tried', 'retry', '--reason', 'Once more.'));
    assert.match(JSON.stringify(needed.at(-1)), /depend on it: last/);
    const refused = await follow(ticket, 'handed', 'skip');
    assert.notEqual(refused.code, 7);
    assert.match(refused.stdout, /BEAD_SKIP_REFUSED/);
    ending(7, await follow(ticket, 'handed', 'retry', '--reason', 'Write it.'));
    assert.deepEqual(await statuses(ticket), {
      tried: 'done',
      left: 'skipped',
      handed: 'done',
      last: 'done',
    });
  });
});
