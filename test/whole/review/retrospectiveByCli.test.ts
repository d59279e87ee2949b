import assert from 'node:assert/strict';
import { GptTokens } from '../../../src/adapters/tokens/gptTokens.ts';
import { RetrospectiveReport } from '../../../src/domain/documents/retrospectiveReport.ts';
import { storyTokens } from '../../../src/domain/records/beadStory.ts';
import { cliTickets, ending, partOf } from '../../support/cliTicket.ts';
import { analysisText, failingFast, givesUp } from '../../support/models/failedBead.ts';

const beads = Array.from({ length: 40 }, (_, at) => ({ id: `part-${String(at + 1)}` }));
const left = 'part-17';

/** One bead fails for good. */
describe('a retrospective on the command line', function () {
  this.timeout(900_000);
  const makeTicket = cliTickets();
  const tasks = {
    coding: [givesUp(left)],
    'failure-analysis': [{ text: analysisText({ recommendation: 'skip' }) }],
  };

  it('AT-21, AT-25: tells of 40 beads within its cap, the failed one first and whole, and the ticket stays incomplete', async () => {
    const ticket = await makeTicket({ tasks });
    await ticket.plan(
      beads,
      ...failingFast,
      'auto',
      '--iterations',
      '1',
      '--retrospective',
      '--end',
      'merge',
    );
    ending(7, await ticket.cli('run', 'SAMPL-1', '--approve', 'all', '--end', 'merge', ...ticket.driving));
    const [asked] = ticket.of('retrospective');
    assert.ok(asked);
    const told = partOf(asked, 'bead_stories') ?? '';
    const stories = [...told.matchAll(/^### (part-\d+): /gm)].map(([, id]) => id);
    assert.equal(stories[0], left);
    assert.equal(new Set(stories).size, 40);
    const tokens = new GptTokens();
    assert.ok((await tokens.count(told)) <= storyTokens);
    assert.ok(
      (await tokens.count(await ticket.documentText('bead-records.jsonl'))) > storyTokens,
      'not all of it can be told',
    );
    const [failed = '', passed = ''] = told.split(/^(?=### )/m).filter((story) => story.startsWith('###'));
    for (const kind of ['spec', 'gate', 'failure_analysis'])
      assert.ok(failed.includes(`#### ${kind}, iteration 1`), kind);
    assert.doesNotMatch(passed, /####/);
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
