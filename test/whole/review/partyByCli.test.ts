import assert from 'node:assert/strict';
import { yamlFence } from '../../../src/demo/script/documentText.ts';
import { noteFiles } from '../../../src/demo/generic/noteFiles.ts';
import { Findings } from '../../../src/domain/documents/findings.ts';
import { cliTickets, ending, onlyBead as bead } from '../../support/cliTicket.ts';
import { greetingFinding, greetingEdit } from '../../support/models/greetingReview.ts';

const { module } = noteFiles(bead);
const judged = { checked: ['What the title asks for.'], findings: [greetingFinding(bead)] };
const edit = {
  tool: 'edit',
  args: { ...greetingEdit(bead), newString: '// was here\nexport function summary() {' },
};
const tasks = {
  // With tools that his session doesn't have.
  review: [
    {
      when: { bead, part: 'persona', has: 'Winston' },
      forced: true,
      calls: [edit, { tool: 'bash', args: { command: 'touch stolen', description: 'x' } }],
      text: yamlFence(judged),
    },
    { when: { bead, part: 'persona', has: 'Murat' }, text: yamlFence(judged) },
  ],
  fix: [{ calls: [{ tool: 'edit', args: greetingEdit(bead) }] }],
};

describe('a party on the command line', function () {
  this.timeout(600_000);
  const makeTicket = cliTickets();

  it('AT-16, AT-19, AT-24: talks before, reviews with three who can write nothing, and fixes what they agree on', async () => {
    const ticket = await makeTicket({ tasks });
    ending(0, await ticket.run('--review', 'party', '--reviewer', 'scripted/beta', '--kickoff'));

    const { reviews } = await ticket.document('review-findings.yaml', Findings);
    assert.deepEqual(
      reviews[0]?.findings.map(({ personas, votes, standing }) => [personas, votes, standing]),
      [[['murat', 'winston'], 3, 'fix']],
    );
    const kinds = (await ticket.records()).map(({ kind }) => kind);
    assert.equal(kinds.filter((kind) => kind === 'kickoff').length, 1);
    assert.equal(kinds.filter((kind) => kind === 'party_review').length, 2);

    for (const task of ['kickoff', 'review', 'review-again', 'party-vote']) {
      assert.ok(ticket.of(task).length >= 3, task);
      for (const { request } of ticket.of(task))
        assert.deepEqual(
          request.tools.filter((tool) => /edit|write|patch|bash/.test(tool)),
          [],
          task,
        );
    }
    for (const { body } of ticket.of('coding')) assert.match(body, /kickoff_insights/);
    // It ended as a failed tool call in his session, and is in no file.
    const tried = ticket.of('review').filter(({ body }) => body.includes('// was here'));
    assert.ok(
      tried.some(({ body }) => /unavailable tool|invalid/i.test(body)),
      'the edit was refused',
    );
    const code = await ticket.repository.git('show', `ticket/SAMPL-1:${module}`);
    assert.match(code, /greeting = 'Hello'/);
    assert.doesNotMatch(code, /was here/);
    assert.doesNotMatch(
      await ticket.repository.git('ls-tree', '-r', '--name-only', 'ticket/SAMPL-1'),
      /stolen/,
    );
  });
});
