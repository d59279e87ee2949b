import assert from 'node:assert/strict';
import { cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';
import { analysisText, givesUp } from '../../support/models/failedBead.ts';

const analysis = analysisText({ recommendation: 'retry', retryHint: 'Begin with the module and its test.' });
const tasks = { coding: [givesUp(bead)], 'failure-analysis': [{ when: { model: 'beta' }, text: analysis }] };

/** What the next iteration is sent is read from the requests. */
describe('a failure analysis on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('advises the next iteration, whose request has the hint, and which succeeds', async () => {
    const ticket = await makeTicket({ tasks });
    const ways = [
      '--review',
      'off',
      '--reviewer',
      'scripted/beta',
      '--failure-analysis',
      'auto',
      '--continuations',
      '0',
    ];
    ending(0, await ticket.run(...ways));
    const calls = ticket.of('failure-analysis');
    assert.deepEqual([...new Set(calls.map(({ body }) => /You are (\w+),/.exec(body)?.[1]))].toSorted(), [
      'Amelia',
      'Bob',
      'Winston',
    ]);
    for (const call of calls) {
      assert.equal(call.request.model, 'beta');
      assert.doesNotMatch(call.body, /Beadsmith task: coding|DEV_RECORD/);
    }
    const coded = ticket.of('coding').map(({ body }) => body.includes('Begin with the module and its test.'));
    assert.equal(coded[0], false);
    assert.equal(coded.at(-1), true);
  });
});
