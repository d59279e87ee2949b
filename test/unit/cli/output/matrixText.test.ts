import assert from 'node:assert/strict';
import { matrixText } from '../../../../src/cli/commands/tickets.ts';
import { linksOf } from '../../../../src/domain/links/links.ts';
import { beads, prd } from '../../../support/models/planningAnswers.ts';
import { prdBody } from '../../../../src/domain/requirements/prd.ts';

const questions = ['Q01', 'Q02', 'Q03'].map((id) => ({ id, prompt: `What about ${id}?` }));
const ticket = { id: 'TST-1', title: 'Greet people' };

describe('the matrix of a ticket in a terminal', () => {
  it('lists each criterion with what it comes from, its beads and their commits, and ends with the holes', () => {
    const links = linksOf({
      questions,
      prd: prdBody(prd),
      beads: [
        ...beads,
        {
          id: 'polish',
          title: 'Polish\u001B[31m',
          prdRefs: [],
          testCommands: [],
          unprovedReason: 'Only words change.',
        },
      ],
      audited: [{ id: 'Q03', met_by: [], note: 'Says who asked.' }],
      evidence: { 'greet-by-name': { commit: 'a'.repeat(40), tests: ['greets Ada'] } },
    });
    assert.equal(
      matrixText(ticket, links),
      `TST-1 Greet people
  3 questions, 1 criterion, 3 beads, 1 hole

  From      Criterion   Beads                        Commands  Commits
  Q01, Q02  US-1-1.AC1  greet-by-name, greet-nobody  1         aaaaaaaaaa  greet("Ada") answers "Hello, Ada"

Answers without a story:
  Q03: Says who asked.

Beads:
  greet-by-name: US-1-1.AC1  Do greet-by-name
      node --test
      commit aaaaaaaaaa
      tests: greets Ada
  greet-nobody: US-1-1.AC1  Do greet-nobody
      node --test
  polish: no criterion  Polish⟨U+001B⟩[31m
      not proved by a command: Only words change.

Holes:
  The bead polish has no criterion: its prdRefs name nothing of the PRD.`,
    );
  });

  it('says what is not there yet', () => {
    assert.match(
      matrixText(ticket, linksOf({ questions: [] })),
      /0 holes\n\n {2}No interview and no PRD yet\.$/,
    );
    assert.match(matrixText(ticket, linksOf({ questions })), /No PRD yet\.$/);
  });
});
