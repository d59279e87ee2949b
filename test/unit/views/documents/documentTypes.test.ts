import assert from 'node:assert/strict';
import { documentsOf } from '../../../../src/views/documents/documentTypes.ts';

describe('documentsOf', () => {
  it('lists present documents in the order of the work, and leaves out archived and internal ones', () => {
    const artifacts = [
      { type: 'prd', archived: false },
      { type: 'prd_drafts', archived: false },
      { type: 'interview', archived: false },
      { type: 'execution_setup_plan', archived: true },
    ];
    assert.deepEqual(documentsOf(0, artifacts), ['interview', 'prd']);
    assert.deepEqual(documentsOf(3, artifacts), ['interview', 'prd', 'beads']);
  });
});
