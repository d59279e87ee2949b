import assert from 'node:assert/strict';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { cliTickets, ending, onlyBead } from '../../support/cliTicket.ts';

const { module } = noteFiles(onlyBead);
const tasks = {
  coding: [
    {
      when: { part: 'iteration', has: 'Pass 2' },
      calls: [
        {
          tool: 'edit',
          args: {
            filePath: module,
            oldString: 'export function',
            newString: '// Verified in the second pass.\nexport function',
          },
        },
      ],
      text: 'Each criterion holds. I answer to {{nonce}}.\n\n<promise> COMPLETE </promise>',
    },
  ],
};

/** Answers come in pieces. */
describe('passes on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-28, AT-29: work on the same files in fresh sessions, and end with a promise that the checks confirm', async () => {
    const ticket = await makeTicket({ tasks });
    const ended = await ticket.run(
      '--review',
      'off',
      '--min-passes',
      '2',
      '--max-passes',
      '3',
      '--promise',
      'COMPLETE',
    );
    ending(0, ended);
    assert.match(ended.stdout, /pass 2 of 3: [^"]*The loop ended: done, and the checks pass/);

    assert.match(
      await ticket.repository.git('show', `ticket/SAMPL-1:${module}`),
      /Verified in the second pass/,
    );
    const bodies = ticket.of('coding').map(({ body }) => body);
    const first = bodies.filter((body) => /Pass 1 of at most 3/.test(body));
    const second = bodies.filter((body) => /Pass 2 of at most 3/.test(body));
    assert.ok(first.length > 0 && second.length > 0);
    assert.ok(
      second.every(
        (body) => !/Pass 1 of at most 3/.test(body) && /Pass 1 reported that the bead is done/.test(body),
      ),
    );
    assert.match(
      await ticket.documentText('bead-records.jsonl'),
      /claimed_early[^]*"end":"validated_complete"/,
    );
  });
});
