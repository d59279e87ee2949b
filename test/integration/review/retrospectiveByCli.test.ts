import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/documentText.ts';
import { codingReport } from '../../../src/demo/generic/execution.ts';
import { RetrospectiveReport } from '../../../src/domain/documents/retrospectiveReport.ts';
import { cliTickets, ending } from '../../support/cliTicket.ts';

const said = 'Read.';
const skip = yamlFence({
  assessments: { architecture: said, implementation: said, requirements: said, environment: said },
  ...{ rootCause: 'Nobody can write it.', plan: [], recommendation: 'skip', rationale: said, retryHint: '', confidence: 0.9 },
});
const beads = Array.from({ length: 40 }, (_, at) => ({ id: `part-${String(at + 1)}` }));
const left = 'part-17';
const nothing = codingReport({ id: left, title: `Note ${left}`, iteration: 1, testCommands: [] }, [], 'It can’t be written.');

/** A long ticket by the command line, on the real OpenCode, one of whose beads fails for good. */
describe('a retrospective on the command line', function () {
  this.timeout(900_000);
  const makeTicket = cliTickets();
  const analysis = [
    '--failure-analysis',
    'auto',
    '--reviewer',
    'scripted/beta',
    '--persona',
    'winston',
    '--continuations',
    '0',
    '--iterations',
    '1',
  ];
  const tasks = {
    coding: [{ when: { bead: left }, text: nothing }],
    'failure-analysis': [{ text: skip }],
  };

  it('AT-21, AT-25: tells of 40 beads within its cap, the failed one first and whole, and the ticket stays incomplete', async () => {
    const ticket = await makeTicket({ tasks });
    await ticket.plan(beads, '--review', 'off', ...analysis, '--retrospective', '--end', 'merge');
    ending(7, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', '--end', 'merge', ...ticket.driving));
    const [asked] = ticket.of('retrospective');
    assert.ok(asked);
    const stories = [...asked.body.matchAll(/### (part-\d+): /g)].map(([, id]) => id);
    assert.equal(stories[0], left);
    assert.equal(new Set(stories).size, 40);
    assert.ok(asked.request.tokens.prompt < 40_000, String(asked.request.tokens.prompt));
    const report = await ticket.document('retrospective.yaml', RetrospectiveReport);
    assert.equal(report.skipped, '');
    assert.equal(report.metrics.completed, 39);
  });

  it('AT-21: leaves the ticket completed when it fails, with the reason', async () => {
    const ticket = await makeTicket({ tasks: { retrospective: [{ fault: 'http-401' }] } });
    const ended = await ticket.run('--review', 'off', '--retrospective', '--end', 'merge');
    const events = ending(0, ended);
    assert.match(JSON.stringify(events), /Skipped: retrospective\./);
    const end = events.findLast((event) => event.type === 'end');
    assert.equal(end?.status, 'COMPLETED');
    assert.notEqual((await ticket.document('retrospective.yaml', RetrospectiveReport)).skipped, '');
  });
});
