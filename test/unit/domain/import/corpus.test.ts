import assert from 'node:assert/strict';
import { importCases, tryImport } from '../../../lab/import/importCase.ts';

describe('the corpus of imports', () => {
  it('finds every requirement, criterion, task and dependency again in the drafts', () => {
    const cases = importCases();
    assert.equal(cases.length, 88);
    const wrong = cases.map(tryImport).filter(({ missing }) => missing.length > 0);
    assert.deepEqual(
      wrong.map(({ name, missing }) => [name, missing]),
      [],
    );
  });
});
