import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import type { CliResult } from '../../support/cliProcess.ts';
import { type CliTicket, cliTickets, ending } from '../../support/cliTicket.ts';

const End = z.looseObject({
  type: z.literal('end'),
  ticket: z.string().nullable(),
  status: z.string().nullable(),
  commits: z.array(z.looseObject({ bead: z.string() })).default([]),
  evidence: z.array(z.looseObject({ command: z.string(), exitCode: z.number() })).default([]),
});
const prompt = '# Note what the project is\n\nWrite a note, with a test.\n\n- [ ] the note has a test\n';
const command = `node --test ${noteFiles('loop').test}`;

/** Only the model is scripted. */
describe('a loop on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();
  let ticket: CliTicket;

  beforeEach(async () => {
    ticket = await makeTicket();
    await writeFile(join(ticket.folder, 'PROMPT.md'), prompt);
  });

  const loop = (...words: readonly string[]): Promise<CliResult> =>
    ticket.cli('loop', ...words, '--model', 'scripted/alpha', ...ticket.driving);

  it('becomes a proved commit on a branch of its own, and no model plans it', async () => {
    const end = End.parse(
      ending(0, await loop('PROMPT.md', '--test', command, '--max', '3', '--approve', 'review')).at(-1),
    );
    assert.deepEqual([end.ticket, end.status], ['SAMPL-1', 'COMPLETED']);
    assert.deepEqual(
      end.commits.map(({ bead }) => bead),
      ['loop'],
    );
    assert.ok(end.evidence.some((evidence) => evidence.command === command && evidence.exitCode === 0));
    const tasks = new Set(ticket.sent.map(({ request }) => request.task));
    for (const planning of [
      'relevant-files-scan',
      'quick-plan',
      'interview-draft',
      'prd-draft',
      'beads-draft',
      'setup-plan',
      'setup',
      'final-test',
    ])
      assert.ok(!tasks.has(planning), planning);
    assert.ok(tasks.has('coding'));
    const status = await ticket.cli('loop', 'SAMPL-1', '--status');
    assert.equal(status.code, 0, status.stdout);
    assert.match(status.stdout, /"type":"report"/);
  });
});
