import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/script/documentText.ts';
import type { CliEvent } from '../../../src/protocol/cliEvents.ts';
import { cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';
import { greetingFinding } from '../../support/models/greetingReview.ts';

const review = (severity: string): string =>
  yamlFence({
    checked: ['What the title asks for.'],
    findings: [greetingFinding(bead, { severity, claim: 'Nobody is greeted by the summary.' })],
  });
/** The reviewer raises it again, although it is told that it was dismissed. */
const tasks = {
  review: [
    { when: { part: 'dismissed', has: 'Nobody is greeted' }, calls: [], text: review('high') },
    { calls: [], text: review('low') },
  ],
};

/** What a person dismisses in one ticket, the reviewer of the next is told. */
describe('a dismissal on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('is told to the reviewer of the next ticket, and what repeats it goes to no fixer', async () => {
    const place = await makeTicket({ tasks });
    const { driving, sent } = place;
    const cli = async (words: readonly string[], code = 0): Promise<readonly CliEvent[]> =>
      ending(code, await place.cli(...words));
    const standings = async (ticket: string): Promise<readonly (readonly unknown[])[]> =>
      (await cli(['findings', ticket])).flatMap((event) =>
        event.type === 'finding' ? [[event.id, event.standing, event.verdict]] : [],
      );
    const models = [
      '--model',
      'scripted/alpha',
      '--depth',
      'solo',
      '--review',
      'standard',
      '--reviewer',
      'scripted/beta',
    ];
    const gates = ['--approve', 'interview-answers,interview,prd,beads,setup'];
    const atGate = 3;

    const started = await cli(['run', '--title', 'Greet by name', ...models, ...gates, ...driving], atGate);
    assert.ok(
      started.some(
        (event) => event.type === 'note' && /^Review of each bead adds 1–5 calls/.test(event.message),
      ),
    );
    const id = `${bead}.1.1.1`;
    assert.deepEqual(await standings('SAMPL-1'), [[id, 'noted', null]]);
    await cli(['finding', 'dismiss', 'SAMPL-1', id, '--reason', 'x'.repeat(100_000), '--no-wait'], 2);
    await cli(
      ['finding', 'dismiss', 'SAMPL-1', id, '--reason', 'The summary greets nobody on purpose.', ...driving],
      atGate,
    );
    assert.deepEqual(await standings('SAMPL-1'), [[id, 'dismissed', 'dismiss']]);
    const listed = (await cli(['dismissals', 'list'])).flatMap((event) =>
      event.type === 'dismissal' ? [event] : [],
    );
    assert.deepEqual(
      listed.map(({ number, ticket, reason }) => [number, ticket, reason]),
      [[1, 'SAMPL-1', 'The summary greets nobody on purpose.']],
    );

    await cli(['run', '--title', 'Greet by name', ...models, ...gates, ...driving], atGate);
    const reviews = sent.filter(({ request }) => request.task === 'review');
    assert.equal(reviews.length, 2);
    assert.doesNotMatch(reviews[0]?.body ?? '', /Nobody is greeted/);
    assert.match(
      reviews[1]?.body ?? '',
      /Nobody is greeted by the summary\. Dismissed: The summary greets nobody on purpose\./,
    );
    assert.deepEqual(await standings('SAMPL-2'), [[id, 'dismissed', null]]);
    assert.deepEqual(
      sent.filter(({ request }) => request.task === 'fix'),
      [],
    );
    for (const { request, body } of sent)
      if (request.task !== 'review') assert.doesNotMatch(body, /greets nobody on purpose/, request.task);

    const [count] = (await cli(['findings', '--reviewers'])).flatMap((event) =>
      event.type === 'reviewer' ? [event] : [],
    );
    assert.deepEqual(
      [count?.reviewer, count?.reviews, count?.raised, count?.confirmed, count?.dismissed],
      ['scripted/beta', 2, 2, 0, 2],
    );
    await cli(['review', 'note', 'SAMPL-2', 'Too late.', '--no-wait'], 2);
    const [changed] = await cli(['dismissals', 'edit', '1', '--reason', 'It is only a summary.']);
    assert.ok(changed?.type === 'dismissal' && changed.reason === 'It is only a summary.');
    await cli(['dismissals', 'remove', '1']);
    await cli(['dismissals', 'remove', '1'], 2);
  });
});
