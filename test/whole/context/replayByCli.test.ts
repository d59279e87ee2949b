import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliTickets, ending } from '../../support/cliTicket.ts';

const shipped = join(import.meta.dirname, '../../../prompts');

/** With today's prompts. */
describe('a replay on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('says that nothing differs, and after a person replaced a prompt, what does', async () => {
    const ticket = await makeTicket();
    ending(2, await ticket.cli('replay', 'SAMPL-1'));
    ending(0, await ticket.run('--review', 'party', '--kickoff', '--retrospective'));
    const asked = ticket.sent.length;
    const same = ending(0, await ticket.cli('replay', 'SAMPL-1'));
    const calls = same.flatMap((event) => (event.type === 'replayed' ? [event] : []));
    assert.ok(calls.length > 10 && calls.some(({ prompt }) => prompt === 'kickoff'), String(calls.length));
    assert.deepEqual(
      calls.filter(({ verdict }) => verdict !== 'same'),
      [],
    );

    const folder = join(ticket.folder, 'beadsmith', 'prompts');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'coding.md'),
      `${readFileSync(join(shipped, 'coding.md'), 'utf8').trimEnd()}\n\nBe brief.\n`,
    );
    const events = ending(1, await ticket.cli('replay', 'SAMPL-1'));
    const differing = events.flatMap((event) =>
      event.type === 'replayed' && event.verdict !== 'same' ? [event] : [],
    );
    assert.ok(
      differing.length > 0 &&
        differing.every(({ prompt, reasons }) => prompt === 'coding' && reasons[0]?.kind === 'instructions'),
    );
    const first = differing[0]?.number ?? 0;
    const sum = events.find((event) => event.type === 'replay');
    assert.deepEqual(
      [sum?.calls, sum?.same, sum?.differ, sum?.unknown, sum?.first],
      [calls.length, calls.length - differing.length, differing.length, 0, first],
    );
    const patch = ending(1, await ticket.cli('replay', 'SAMPL-1', String(first))).find(
      (event) => event.type === 'document',
    );
    assert.match(patch?.content ?? '', /^\+Be brief\.$/m);
    ending(0, await ticket.cli('replay', 'SAMPL-1', '1'));
    ending(2, await ticket.cli('replay', 'SAMPL-1', '999'));
    assert.equal(ticket.sent.length, asked, 'no model was asked');
  });
});
