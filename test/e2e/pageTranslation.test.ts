import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { pseudo, pseudoBundle } from '../../.build/l10n.mjs';
import { root } from '../../.build/paths.mjs';
import type { PageName } from '../../src/protocol/pages/pageNames.ts';
import { startBrowser } from '../support/editor/browser.ts';
import { PageAlone } from '../support/pages/pageAlone.ts';
import { answersOfX, approvalOfX, interviewOfX, ticketOfX } from '../support/pages/pageStates.ts';
import { until } from '../support/until.ts';

const bundle = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

/** `some`: a string of the page; `open`: what is pressed to see more. */
const pages: readonly {
  readonly name: PageName;
  readonly what: string;
  readonly state: unknown;
  readonly some: string;
  readonly open: readonly (readonly [button: string, then: string])[];
}[] = [
  {
    name: 'interview',
    what: 'questions',
    state: interviewOfX(),
    some: 'Send Answers',
    open: [['Skip Remaining…', 'Skip Remaining']],
  },
  {
    name: 'approval',
    what: 'interview',
    state: approvalOfX('interview'),
    some: 'Documents',
    open: [['Edit', 'Your answer']],
  },
  {
    name: 'approval',
    what: 'PRD',
    state: approvalOfX('prd'),
    some: 'User stories',
    open: [
      ['Show Full Answers', 'Full Answers'],
      ['Edit', 'Technical requirements'],
    ],
  },
  {
    name: 'approval',
    what: 'beads',
    state: approvalOfX('beads'),
    some: 'Beads by priority',
    open: [
      ['Edit', 'Add dependency'],
      ['Split…', 'Title of the second bead'],
    ],
  },
  {
    name: 'approval',
    what: 'setup plan',
    state: approvalOfX('execution_setup_plan'),
    some: 'Readiness',
    open: [['Edit', 'Temporary folders']],
  },
  {
    name: 'ticket',
    what: 'everything',
    state: ticketOfX(),
    some: 'Ticket sections',
    open: [
      ['Review', 'Excluded files'],
      ['Review', 'Weaker tests, accepted by you:'],
      ['Reject changes of x-2', 'What is wrong? Beadsmith adds a fix bead; existing commits are kept.'],
      ['Timeline', 'Timeline'],
      ['Council', 'Reasons for the votes'],
      ['Traceability', 'Missing Links'],
      ['Traceability', 'Answers Without a Story'],
      ['Logs', 'Earlier Lines'],
      ['Model Calls', 'Model Calls'],
      ['Tokens', 'Cache read'],
    ],
  },
];

describe('a page in another language', () => {
  let browser: Browser;

  before(async () => {
    browser = await startBrowser();
  });

  after(() => browser.close());

  for (const { name, what, state, some, open } of pages) {
    it(`says everything in that language: ${name} page, ${what}`, async () => {
      const page = await PageAlone.open(browser, name, pseudoBundle(bundle), answersOfX());
      await page.show(state);
      assert.ok((await page.words()).includes(pseudo(some)), (await page.words()).join('\n'));
      const left = async (): Promise<readonly string[]> =>
        (await page.words()).filter((word) => /[aeiouy]/i.test(word));
      assert.deepEqual(await left(), []);
      for (const [button, then] of open) {
        await page.press(pseudo(button));
        await until(async () => (await page.words()).includes(pseudo(then)), then);
        assert.deepEqual(await left(), [], button);
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
