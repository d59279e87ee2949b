import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { codingReport } from '../../../src/demo/generic/execution.ts';
import { cliTickets, ending } from '../../support/cliTicket.ts';

const said = 'Read.';
const analysis = {
  assessments: { architecture: said, implementation: said, requirements: said, environment: said },
  rootCause: 'Nobody wants this note.',
  plan: ['Leave it out.'],
  recommendation: 'skip',
  rationale: 'It is of no use.',
  retryHint: '',
  confidence: 0.9,
};
const facts = { id: 'left', title: 'Note left', iteration: 1, testCommands: [] };
const tasks = {
  coding: [{ when: { bead: 'left', iteration: 1 }, text: codingReport(facts, [], 'It did nothing.') }],
  'failure-analysis': [{ when: { bead: 'left' }, text: yamlFence(analysis) }],
};

/** A bead that is left out by its analysis, on the real OpenCode: whatever a person or a script reads of the ticket says so. */
describe('a skipped bead on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-25: ends with 7, and `show`, the export and the pull request say that the ticket is incomplete', async () => {
    const ticket = await makeTicket({ tasks });
    const ways = [
      '--review',
      'off',
      '--reviewer',
      'scripted/beta',
      '--persona',
      'winston',
      '--failure-analysis',
      'auto',
      '--continuations',
      '0',
    ];
    await ticket.plan([{ id: 'kept' }, { id: 'left' }], ...ways);
    const end = ending(7, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', ...ticket.driving)).at(-1);
    assert.ok(end?.type === 'end' && end.exit === 7 && end.status === 'COMPLETED', JSON.stringify(end));

    const shown = ending(0, await ticket.cli('show', 'SAMPL-1')).find((event) => event.type === 'report');
    assert.deepEqual(shown?.['outcome'], {
      success: false,
      ...{
        done: 1,
        total: 2,
        missing: [{ bead: 'left', title: 'Note left', state: 'skipped', reason: 'Nobody wants this note. It is of no use.' }],
      },
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
    const records = (await ticket.records()).filter((record) => record['bead'] === 'left').map(({ kind }) => kind);
    assert.ok(!records.includes('commit') && records.includes('failure_analysis'), records.join(', '));

    // What a script sees that runs it again.
    ending(7, await ticket.cli('run', 'SAMPL-1', ...ticket.driving));
  });
});
