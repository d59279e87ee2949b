import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildMinimalContext } from '../../../src/context/buildMinimalContext.ts';
import type { ContextState } from '../../../src/context/contextState.ts';
import { type SectionName, sectionTable } from '../../../src/context/sections.ts';
import { allowlists } from '../../../src/context/allowlists.ts';
import { emptyContextState } from '../../support/samples.ts';

const options = { budget: 100_000, count: (text: string) => Promise.resolve(Math.ceil(text.length / 4)) };
const sectionNames = Object.keys(sectionTable) as SectionName[];
const history = [
  'failing_evidence',
  'handoff',
  'extra_fix_history',
  'session_state',
  'counters',
  'user_note',
] as const;

describe('what a reviewer may see', () => {
  it('is the bead and the sections of a review, whatever the ticket’s state', async () => {
    const texts = fc.record(
      Object.fromEntries(
        Object.entries(emptyContextState).map(([name, empty]) => [
          name,
          Array.isArray(empty) ? fc.array(fc.string()) : fc.string(),
        ]),
      ),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.subarray(sectionNames), async (state, names) => {
        const told = [
          'repository_rules',
          'user_context',
          'review_note',
          'dismissed',
          'rules_digest',
          'place_in_plan',
          'prd_parts',
          'target_files',
        ];
        const own = [...told, 'seen_evidence', 'reviewer_notes', 'findings', 'change', 'persona'];
        const sections = names.map((name) => ({ name, content: `of ${name}` }));
        const built = buildMinimalContext(
          'review',
          { ...emptyContextState, ...(state as Partial<ContextState>) },
          { ...options, sections },
        );
        if (names.some((name) => !own.includes(name)))
          return assert.rejects(built, { code: 'INVALID_INPUT' });
        for (const { name } of (await built).parts) assert.ok(['bead_data', ...own].includes(name), name);
      }),
    );
  });

  it('is never what tells of attempts, even where another table allows it', async () => {
    const list = allowlists.review as string[];
    list.push('bead_notes', 'error_context');
    try {
      const state = {
        ...emptyContextState,
        beadData: '{}',
        beadNotes: ['a wild goose'],
        errorContext: 'a wild goose',
      };
      const { parts } = await buildMinimalContext('review', state, options);
      assert.deepEqual(
        parts.map(({ name }) => name),
        ['bead_data'],
      );
    } finally {
      list.length = 1;
    }
  });

  it('is not seen by the coder: no prompt for coding has a section of a review', async () => {
    for (const name of ['change', 'seen_evidence', 'reviewer_notes', 'findings'] as const) {
      const built = buildMinimalContext(
        'coding',
        { ...emptyContextState, beadData: '{}' },
        { ...options, sections: [{ name, content: 'x' }] },
      );
      await assert.rejects(built, { code: 'INVALID_INPUT' });
    }
    for (const name of history) {
      const built = buildMinimalContext(
        'review',
        { ...emptyContextState, beadData: '{}' },
        { ...options, sections: [{ name, content: 'x' }] },
      );
      await assert.rejects(built, { code: 'INVALID_INPUT' });
    }
  });
});
