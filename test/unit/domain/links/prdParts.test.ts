import assert from 'node:assert/strict';
import { normalPrd, PrdDraft } from '../../../../src/domain/requirements/prd.ts';
import { prdParts } from '../../../../src/domain/links/prdParts.ts';

const story = (id: string) => ({
  id,
  title: `Story ${id}`,
  acceptance_criteria: [`${id} works`, `${id} fails well`],
});
const prd = (over: Readonly<Record<string, unknown>> = {}) =>
  normalPrd(
    PrdDraft.parse({
      product: { problem_statement: 'Codes are refused without a reason.' },
      scope: { in_scope: ['Reasons'], out_of_scope: ['New kinds of codes'] },
      technical_requirements: { security_constraints: [], error_handling_rules: ['Never throw.'] },
      epics: [
        {
          id: 'EPIC-1',
          title: 'Reasons',
          objective: 'Say why.',
          user_stories: [story('US-1-1'), story('US-1-2')],
        },
        { id: 'EPIC-2', title: 'Logs', user_stories: [story('US-2-1')] },
      ],
      ...over,
    }),
    { ticketId: 'TST-1', interviewSha256: 'a'.repeat(64) },
  );
const named = (...refs: readonly string[]) =>
  prdParts(prd(), refs).epics?.map((epic) => [epic.id, ...epic.user_stories.map(({ id }) => id)]);

describe('the parts of a PRD that a bead names', () => {
  it('are its stories with all of their criteria by name, and the limits that hold for all work', () => {
    assert.deepEqual(prdParts(prd(), ['US-1-2.AC1']), {
      out_of_scope: ['New kinds of codes'],
      technical_requirements: { error_handling_rules: ['Never throw.'] },
      epics: [
        {
          id: 'EPIC-1',
          title: 'Reasons',
          objective: 'Say why.',
          user_stories: [
            { ...story('US-1-2'), acceptance_criteria: { AC1: 'US-1-2 works', AC2: 'US-1-2 fails well' } },
          ],
        },
      ],
    });
  });

  it('are found by criterion, story and epic, however they are spelled', () => {
    assert.deepEqual(named('us-1-1 / AC 2'), [['EPIC-1', 'US-1-1']]);
    assert.deepEqual(named('EPIC-1', 'US-2-1'), [
      ['EPIC-1', 'US-1-1', 'US-1-2'],
      ['EPIC-2', 'US-2-1'],
    ]);
  });

  it('are the limits alone for a bead that names none, and nothing where a PRD has no limits either', () => {
    assert.deepEqual(Object.keys(prdParts(prd(), ['nonsense'])), ['out_of_scope', 'technical_requirements']);
    assert.deepEqual(prdParts(prd({ scope: { in_scope: ['Reasons'] }, technical_requirements: {} }), []), {});
  });
});
