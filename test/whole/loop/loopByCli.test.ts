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

/** A loop as a person starts it: real processes, real git, SQLite and OpenCode; only the model is scripted. */
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
    const end = End.parse(ending(0, await loop('PROMPT.md', '--test', command, '--max', '3', '--approve', 'review')).at(-1));
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

  it('is refused before anything is filed, with the reason', async () => {
    const files: Readonly<Record<string, string | Uint8Array>> = {
      'empty.md': ' \n\n',
      'long.md': `# Long\n${'x'.repeat(50_001)}`,
      'binary.md': new Uint8Array([0x23, 0x20, 0x41, 0, 1]),
      'latin.md': new Uint8Array([0x23, 0x20, 0xe4]),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(ticket.folder, name), content);
    const refused: readonly [said: RegExp, ...words: string[]][] = [
      [/it is empty/, 'empty.md', '--test', 'true'],
      [/more than 50,000 characters/, 'long.md', '--test', 'true'],
      [/it is binary/, 'binary.md', '--test', 'true'],
      [/not UTF-8/, 'latin.md', '--test', 'true'],
      [/no such file/, 'nowhere.md', '--test', 'true'],
      [/--no-tests REASON/, 'PROMPT.md'],
      [/either test commands, or a reason/, 'PROMPT.md', '--test', 'true', '--no-tests', 'why'],
      [/--max 2 is less than --min 3/, 'PROMPT.md', '--test', 'true', '--min', '3', '--max', '2'],
      [/1 to 100 passes, not 0/, 'PROMPT.md', '--test', 'true', '--max', '0'],
      [/--depth does not apply/, 'PROMPT.md', '--test', 'true', '--depth', 'full'],
    ];
    for (const [said, ...words] of refused) {
      const { code, stdout, stderr } = await loop(...words);
      assert.match(`${stdout}${stderr}`, said, words.join(' '));
      assert.equal(code, 2, words.join(' '));
    }
    assert.doesNotMatch((await ticket.cli('list')).stdout, /"type":"ticket"/);
  });
});
