import assert from 'node:assert/strict';
import { languageKind } from '../../../src/protocol/language.ts';

describe('languageKind', () => {
  it('knows documents of tickets and their copies in a worktree', () => {
    assert.equal(languageKind('beadsmith', '/APP-1/prd.yaml'), 'prd');
    assert.equal(languageKind('beadsmith', '/APP-1/setup-plan.yaml'), 'execution_setup_plan');
    assert.equal(languageKind('file', '/r.worktrees/APP-1/.ticket/interview.yaml'), 'interview');
    assert.equal(languageKind('file', '/r.worktrees/APP-1/.ticket/beads/main/.beads/issues.jsonl'), 'beads');
  });

  it('leaves everything else alone', () => {
    for (const [scheme, path] of [
      ['file', '/r/prd.yaml'],
      ['file', '/r/issues.jsonl'],
      ['beadsmith', '/APP-1/final-test-report.json'],
      ['git', '/r/.ticket/prd.yaml'],
    ] as const)
      assert.equal(languageKind(scheme, path), undefined, path);
  });
});
