import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HandoffReport } from '../../../src/domain/documents/handoffReport.ts';
import { eventsOf } from '../../support/cliProcess.ts';
import { cliTickets, ending } from '../../support/cliTicket.ts';

/** What the second ticket is told is read from the requests. */
describe('a handoff on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-22: is written at the end of one ticket, and is in the plan and the coding of the next one, editable and removable', async () => {
    const ticket = await makeTicket();
    const { driving, folder } = ticket;
    const plan = ['--model', 'scripted/alpha', '--depth', 'quick'];
    /** Since it was asked last. */
    const of = (task: string) => ticket.sent.splice(0).filter(({ request }) => request.task === task);

    const first = await ticket.cli(
      'run',
      '--title',
      'Greet by name',
      ...plan,
      '--retrospective',
      '--approve',
      'all',
      '--end',
      'merge',
      ...driving,
    );
    ending(0, first);
    const { patterns } = await ticket.document('handoff.yaml', HandoffReport);
    const [pattern] = patterns;
    assert.ok(pattern);
    assert.equal(of('retrospective').length, 1);

    const second = await ticket.cli(
      'run',
      '--title',
      'Say goodbye',
      ...plan,
      '--iterations',
      '1',
      '--handoff',
      'latest',
      ...driving,
    );
    assert.equal(second.code, 3, second.stdout);
    const next = eventsOf(second.stdout).findLast((event) => event.type === 'end')?.ticket ?? '';
    assert.ok(
      of('quick-plan').some(
        ({ body }) =>
          body.includes(pattern.text) && body.includes('What an earlier ticket leaves for this one.'),
      ),
    );

    const shown = eventsOf((await ticket.cli('handoff', next)).stdout).find(
      (event) => event.type === 'document',
    );
    assert.ok(shown);
    assert.ok(shown.content.includes(pattern.text));
    const edited = join(folder, 'handoff.yaml');
    await writeFile(edited, shown.content.replace(pattern.text, 'As a person wrote it.'));
    assert.equal((await ticket.cli('handoff', next, '--file', edited, ...driving)).code, 3);
    assert.equal((await ticket.cli('regenerate', next, ...driving)).code, 3);
    const again = of('quick-plan');
    assert.ok(
      again.length > 0 &&
        again.every(({ body }) => body.includes('As a person wrote it.') && !body.includes(pattern.text)),
    );
    const stale = await ticket.cli(
      'handoff',
      next,
      '--file',
      edited,
      '--base',
      shown.sha256 ?? '',
      ...driving,
    );
    assert.notEqual(stale.code, 3, 'an edit of an old version is refused');

    // The scripted final test may pass without the work, where the first ticket's notes are.
    await ticket.cli('approve', next, '--approve', 'all', ...driving);
    const coded = of('coding');
    assert.ok(coded.length > 0 && coded.some(({ body }) => body.includes('As a person wrote it.')));
    assert.notEqual(
      (await ticket.cli('handoff', next, '--remove', ...driving)).code,
      0,
      'the plan is approved',
    );
  });
});
