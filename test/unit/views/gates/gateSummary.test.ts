import assert from 'node:assert/strict';
import { stringify } from 'yaml';
import { gateSummary } from '../../../../src/views/gates/gateSummary.ts';

describe('gateSummary', () => {
  it('counts the epics and stories of a PRD', async () => {
    const story = { id: 'US-1-1', title: 'Greet', acceptance_criteria: ['It greets.'] };
    const content = stringify({
      ...{ schema_version: 1, ticket_id: 'TST-1', artifact: 'prd', status: 'draft', source_interview: { content_sha256: 'a'.repeat(64) } },
      ...{ approval: { approved_by: '', approved_at: '' }, product: { problem_statement: 'Nobody is greeted.' } },
      ...{
        scope: { in_scope: ['Greeting'] },
        epics: [{ id: 'EPIC-1', title: 'Greet', user_stories: [story, { ...story, id: 'US-1-2' }] }],
      },
    });
    assert.deepEqual(await gateSummary({ type: 'prd', content }), { kind: 'prd', epics: 1, stories: 2, problem: 'Nobody is greeted.' });
  });

  it('names the beads', async () => {
    const content = '{"title":"First"}\n\n{"title":"Second"}\nhalf a li';
    assert.deepEqual(await gateSummary({ type: 'beads', content }), { kind: 'beads', titles: ['First', 'Second'] });
  });

  it('says nothing of a document it can not read', async () => {
    assert.deepEqual(await gateSummary({ type: 'prd', content: ': {' }), { kind: 'document' });
    assert.deepEqual(await gateSummary({ type: 'interview', content: 'questions: none' }), { kind: 'document' });
  });
});
