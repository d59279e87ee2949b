import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliTickets, ending } from '../../support/cliTicket.ts';
import { analysisText, failingFast, givesUp } from '../../support/models/failedBead.ts';

const why = { rootCause: 'Nobody wants this note.', rationale: 'It is of no use.' };
const tasks = {
  coding: [givesUp('left')],
  'failure-analysis': [{ text: analysisText({ recommendation: 'skip', ...why }) }],
};

/** Its analysis leaves it out; whatever one reads of the ticket says so. */
describe('a skipped bead on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-25: ends with 7, and `show`, the export and the pull request say that the ticket is incomplete', async () => {
    const ticket = await makeTicket({ tasks });
    await ticket.plan([{ id: 'kept' }, { id: 'left' }], ...failingFast, 'auto');
    const end = ending(7, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving)).at(-1);
    assert.ok(end?.type === 'end' && end.exit === 7 && end.status === 'COMPLETED', JSON.stringify(end));

    const shown = ending(0, await ticket.cli('show', 'SAMPL-1')).find((event) => event.type === 'report');
    assert.deepEqual(shown?.['outcome'], {
      success: false,
      done: 1,
      total: 2,
      missing: [
        {
          bead: 'left',
          title: 'Note left',
          state: 'skipped',
          reason: 'Nobody wants this note. It is of no use.',
        },
      ],
    });

    const out = join(ticket.folder, 'out');
    ending(0, await ticket.cli('export', 'SAMPL-1', '--to', out));
    assert.match(await readFile(join(out, 'README.md'), 'utf8'), /incomplete[^]*left/i);
    const { location } = shown['pullRequest'] as { readonly location: string };
    assert.match(
      await readFile(location, 'utf8'),
      /## Missing\n\nThe ticket is incomplete\.[^]*- left \(skipped\): Note left\. Nobody wants this note\./,
    );
    assert.match(JSON.stringify(ending(0, await ticket.cli('list'))), /"beadsSkipped":1/);
    const records = (await ticket.records())
      .filter((record) => record['bead'] === 'left')
      .map(({ kind }) => kind);
    assert.ok(!records.includes('commit') && records.includes('failure_analysis'), records.join(', '));

    // What a script sees that runs it again.
    ending(7, await ticket.cli('run', 'SAMPL-1', ...ticket.driving));
  });
});
