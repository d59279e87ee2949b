import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { codingReport } from '../../../src/demo/generic/execution.ts';
import { cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';

const facts = { id: bead, title: 'Greet by name', iteration: 1, testCommands: [] };
const said = 'Read.';
const analysis = {
  assessments: { architecture: said, implementation: said, requirements: said, environment: said },
  rootCause: 'Nothing was written.',
  plan: ['Write the module.'],
  recommendation: 'retry',
  rationale: 'It was not tried.',
  retryHint: 'Begin with the module and its test.',
  confidence: 0.9,
};
const givesUp = { when: { bead, iteration: 1 }, calls: [], text: codingReport(facts, [], 'It did nothing.') };

const tasks = { coding: [givesUp], 'failure-analysis': [{ when: { model: 'beta' }, calls: [], text: yamlFence(analysis) }] };

/** A bead that fails first, by the command line, on the real OpenCode: what the next iteration is sent is read from the requests themselves. */
describe('a failure analysis on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('advises the next iteration, whose request has the hint, and which succeeds', async () => {
    const ticket = await makeTicket({ tasks });
    const ways = ['--review', 'off', '--reviewer', 'scripted/beta', '--failure-analysis', 'auto', '--continuations', '0'];
    ending(0, await ticket.run(...ways));
    const calls = ticket.of('failure-analysis');
    assert.deepEqual([...new Set(calls.map(({ body }) => /You are (\w+),/.exec(body)?.[1]))].toSorted(), ['Amelia', 'Bob', 'Winston']);
    for (const call of calls) {
      assert.equal(call.request.model, 'beta');
      assert.doesNotMatch(call.body, /Beadsmith task: coding|DEV_RECORD/);
    }
    const coded = ticket.of('coding').map(({ body }) => body.includes('Begin with the module and its test.'));
    assert.equal(coded[0], false);
    assert.equal(coded.at(-1), true);
  });
});
