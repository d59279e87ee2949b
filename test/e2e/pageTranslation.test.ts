import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { pseudo, pseudoBundle } from '../../.build/l10n.mjs';
import { root } from '../../.build/paths.mjs';
import { BatchQuestion } from '../../src/domain/documents/interview.ts';
import type { InterviewState } from '../../src/protocol/pages/interview.ts';
import { startBrowser } from '../support/browser.ts';
import { PageAlone } from '../support/pageAlone.ts';

const bundle = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

/** What the tickets of this test say has none of these letters, and a translated string has others. */
const english = /[aeiouy]/i;

const ticket = { id: 'TST-1', title: 'XXX' };

function interview(): InterviewState {
  const question = (id: string, more: object = {}) => ({ ...BatchQuestion.parse({ id, question: 'XXX', ...more }), batch: 1 });
  const answer = { skipped: true, selected_option_ids: [], free_text: '', answered_by: 'user' as const, answered_at: '' };
  return {
    ...{ ticket, phase: 'asking', problem: '', approvable: false, expected: 3 },
    batch: { number: 1, commentary: 'XXX', openIds: ['Q1', 'Q2'] },
    questions: [
      {
        ...question('Q1', { priority: 'critical', rationale: 'XXX', answer_type: 'yes_no', options: [{ id: 'yes', label: 'Yes' }] }),
        answer: null,
      },
      { ...question('Q2', { priority: 'low', answer_type: 'multiple_choice', options: [{ id: 'x', label: 'XXX' }] }), answer: null },
      { ...question('Q3'), answer },
    ],
  };
}

describe('a page in another language', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser();
  });

  after(() => browser.close());

  for (const [name, state, some] of [['interview', interview(), 'Send Answers']] as const)
    describe(`(${name})`, () => {
      it('says everything in that language', async () => {
        const page = await PageAlone.open(browser, name, pseudoBundle(bundle));
        await page.show(state);
        const words = await page.words();
        assert.ok(words.includes(pseudo(some)), words.join('\n'));
        assert.deepEqual(
          words.filter((one) => english.test(one)),
          [],
        );
        await page.close();
      });

      it('says what the code says where there are no strings', async () => {
        const page = await PageAlone.open(browser, name, undefined);
        await page.show(state);
        assert.ok((await page.words()).includes(some));
        await page.close();
      });
    });
});
