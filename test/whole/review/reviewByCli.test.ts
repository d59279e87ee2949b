import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/script/documentText.ts';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { Findings } from '../../../src/domain/documents/findings.ts';
import { cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';
import { greetingFinding, greetingTest, greetingEdit } from '../../support/models/greetingReview.ts';

const { module } = noteFiles(bead);
const test = greetingTest(bead);
const finding = greetingFinding(bead, { severity: 'medium', test });
const invented = {
  ...finding,
  evidence: 'export function secondSummary() {',
  claim: 'There are two of them.',
  test: undefined,
};
const tasks = {
  review: [
    {
      when: { model: 'beta', bead },
      calls: [{ tool: 'read', args: { filePath: module } }],
      text: yamlFence({ checked: ['What the title asks for.'], findings: [finding, invented] }),
    },
  ],
  fix: [
    {
      calls: [
        {
          tool: 'edit',
          args: greetingEdit(bead),
        },
        { tool: 'write', args: { filePath: test.file, content: test.content } },
      ],
    },
  ],
};

/** What the reviewer is sent is read from the requests. */
describe('a review on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-15: finds what the checks missed, proves it, has it fixed, and is told nothing of the developer, who is told nothing of reviews', async () => {
    const ticket = await makeTicket({ tasks });
    ending(0, await ticket.run('--review', 'standard', '--reviewer', 'scripted/beta'));

    const { reviews } = await ticket.document('review-findings.yaml', Findings);
    assert.deepEqual(
      reviews.map(({ reviewer, findings }) => [
        reviewer,
        ...findings.map(({ standing, confirmed }) => [standing, confirmed]),
      ]),
      [['scripted/beta', ['fix', true], ['unfounded', false]], ['scripted/beta']],
    );
    assert.match(await ticket.repository.git('show', `ticket/SAMPL-1:${module}`), /greeting = 'Hello'/);
    const [first] = ticket.of('review');
    assert.ok(first);
    assert.equal(first.request.model, 'beta');
    assert.deepEqual(
      first.request.tools.filter((tool) => /edit|write|patch|bash/.test(tool)),
      [],
    );
    for (const { body } of ticket.of('review'))
      assert.doesNotMatch(body, /Beadsmith task: coding|DEV_RECORD|"iteration/);
    assert.ok(ticket.of('coding').length > 0);
    for (const { body } of ticket.of('coding'))
      assert.doesNotMatch(body, /Beadsmith task: review|Nobody is greeted|suggestedFix|The change to review/);
    assert.match(ticket.of('fix')[0]?.body ?? '', /Nobody is greeted/);
    for (const { body } of ticket.of('fix'))
      assert.doesNotMatch(body, /There are two of them|Beadsmith task: (?:coding|review)/);
    assert.ok(ticket.of('review-again').length > 0);
  });
});
