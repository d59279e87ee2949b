import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { pseudo, pseudoBundle } from '../../.build/l10n.mjs';
import { root } from '../../.build/paths.mjs';
import { startBrowser } from '../support/browser.ts';
import { PageAlone } from '../support/pageAlone.ts';
import { approvalOfX, interviewOfX } from '../support/pageStates.ts';

const bundle = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

/** `some`: a string of the page; `open`: what is pressed to see more of it. */
const pages = [
  { name: 'interview', what: 'interview', state: interviewOfX(), some: 'Send Answers', open: ['Skip Remaining…'] },
  { name: 'approval', what: 'interview', state: approvalOfX('interview'), some: 'Documents', open: ['Edit'] },
  { name: 'approval', what: 'PRD', state: approvalOfX('prd'), some: 'User stories', open: ['Show Full Answers', 'Edit'] },
  { name: 'approval', what: 'beads', state: approvalOfX('beads'), some: 'Beads by priority', open: ['Edit', 'Split…'] },
  { name: 'approval', what: 'setup plan', state: approvalOfX('execution_setup_plan'), some: 'Readiness', open: ['Edit'] },
] as const;

describe('a page in another language', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser();
  });

  after(() => browser.close());

  for (const { name, what, state, some, open } of pages) {
    it(`says everything in that language: ${name} page, ${what}`, async () => {
      const page = await PageAlone.open(browser, name, pseudoBundle(bundle));
      await page.show(state);
      assert.ok((await page.words()).includes(pseudo(some)), (await page.words()).join('\n'));
      for (const button of ['', ...open]) {
        if (button !== '') await page.press(pseudo(button));
        const left = (await page.words()).filter((word) => /[aeiouy]/i.test(word));
        assert.deepEqual(left, [], button);
      }
      await page.close();
    });

    it(`says what the code says where there are no strings: ${name} page, ${what}`, async () => {
      const page = await PageAlone.open(browser, name, undefined);
      await page.show(state);
      assert.ok((await page.words()).includes(some));
      await page.close();
    });
  }
});
