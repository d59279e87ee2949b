import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { allowlists } from '../../../src/context/allowlists.ts';
import { buildMinimalContext } from '../../../src/context/buildMinimalContext.ts';
import type { ContextState } from '../../../src/context/contextState.ts';
import { planPrompt } from '../../../src/context/planPrompt.ts';
import { parsePromptFile } from '../../../src/context/promptFile.ts';
import {
  type Section,
  type SectionName,
  type SectionRow,
  sectionTable,
} from '../../../src/context/sections.ts';
import { type SliceName, sliceNames } from '../../../src/context/slices.ts';
import type { ContextKey } from '../../../src/domain/workflow/contextKeys.ts';
import { anyState, canary } from './contextTables.ts';
import { emptyContextState } from '../../support/samples.ts';

const budget = 1_000_000;
/** About the making of the work. */
const historyFields = [
  'beadNotes',
  'errorContext',
  'tests',
  'executionSetupNotes',
  'executionSetupPlanNotes',
  'finalTestNotes',
];
const historySections: readonly SectionName[] = [
  'failing_evidence',
  'handoff',
  'workspace',
  'counters',
  'extra_fix_history',
  'session_state',
  'user_note',
];
/** Material of a review alone. */
const reviewSections: readonly SectionName[] = ['change', 'seen_evidence', 'reviewer_notes', 'findings'];

async function promptFor(
  key: ContextKey,
  name: string,
  state: ContextState,
  sections: readonly Section[],
): Promise<string> {
  const file = parsePromptFile(name, await readFile(`prompts/${name}.md`, 'utf8'));
  const context = await buildMinimalContext(key, state, {
    sections,
    budget,
    count: (text) => Math.ceil(text.length / 4),
  });
  const { stable, text } = planPrompt({ key, file, inputs: {}, ...context, budget, model: 'provider/model' });
  return `${stable}\n${text}`;
}

/** Allows every slice and section, as after a careless change of the tables. */
async function whileAllAllow(key: ContextKey, run: () => Promise<void>): Promise<void> {
  const list = allowlists[key] as SliceName[];
  const before = [...list];
  const rows: readonly { keys: SectionRow['keys'] }[] = Object.values(sectionTable);
  const keys = rows.map((row) => row.keys);
  list.splice(0, list.length, ...sliceNames);
  for (const row of rows) row.keys = 'all';
  try {
    await run();
  } finally {
    list.splice(0, list.length, ...before);
    for (const [index, row] of rows.entries()) row.keys = keys[index] ?? [];
  }
}

describe('isolation of those who judge', () => {
  for (const name of ['review', 'review-again', 'review-note', 'party-vote']) {
    it(`AT-15: the prompt ${name} holds nothing of an attempt, whatever the state, and even if every table allowed it`, async () => {
      await whileAllAllow('review', () =>
        fc.assert(
          fc.asyncProperty(anyState, async (state) => {
            const sections = reviewSections.map((section) => ({ name: section, content: canary(section) }));
            const prompt = await promptFor('review', name, state, sections);
            for (const field of historyFields) assert.ok(!prompt.includes(canary(field)), field);
            for (const present of ['beadData', ...reviewSections])
              assert.ok(prompt.includes(canary(present)), present);
          }),
        ),
      );
    });
  }

  it('AT-15: a section that tells of an attempt stops the prompt of a review, and even if every table allowed it', async () => {
    await whileAllAllow('review', () =>
      fc.assert(
        fc.asyncProperty(
          anyState,
          fc.subarray([...historySections], { minLength: 1 }),
          async (state, names) => {
            const sections = names.map((name) => ({ name, content: canary(name) }));
            await assert.rejects(promptFor('review', 'review', state, sections), { code: 'INVALID_INPUT' });
          },
        ),
      ),
    );
  });

  it('AT-15: the prompt for coding has no section of a review and none of its policy, whatever the state', async () => {
    await fc.assert(
      fc.asyncProperty(anyState, fc.subarray([...reviewSections], { minLength: 1 }), async (state, names) => {
        const sections = names.map((name) => ({ name, content: canary(name) }));
        await assert.rejects(promptFor('coding', 'coding', state, sections), { code: 'INVALID_INPUT' });
      }),
    );
    const prompt = await promptFor(
      'coding',
      'coding',
      { ...emptyContextState, beadData: canary('beadData') },
      [],
    );
    assert.ok(prompt.includes(canary('beadData')));
    for (const name of reviewSections) assert.ok(!prompt.includes(sectionTable[name].heading), name);
    assert.doesNotMatch(prompt, /severity|confidence|suggestedFix/i);
  });
});
