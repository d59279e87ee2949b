import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import * as z from 'zod';
import { pseudo, pseudoBundle } from '../../.build/l10n.mjs';
import { root } from '../../.build/paths.mjs';
import type { TicketState } from '../../src/protocol/pages/ticket.ts';
import { startBrowser } from '../support/editor/browser.ts';
import { PageAlone } from '../support/pages/pageAlone.ts';
import { answersOfX, ticketOfX } from '../support/pages/pageStates.ts';
import { until } from '../support/until.ts';

const bundle = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync(join(root, 'l10n/bundle.l10n.json'), 'utf8')));

/** `some`: a string of the page; `open`: what is pressed to see more. */
const pages: readonly {
  readonly what: string;
  readonly plan?: Parameters<typeof answersOfX>[0];
  readonly due: TicketState['due'];
  readonly some: string;
  readonly open: readonly (readonly [button: string, then: string])[];
}[] = [
  {
    what: 'questions',
    due: 'plan',
    some: 'Send Answers',
    open: [['Skip Remaining…', 'Skip Remaining']],
  },
  {
    what: 'interview',
    plan: 'interview',
    due: 'plan',
    some: 'waiting for your approval',
    open: [['Edit', 'Your answer']],
  },
  {
    what: 'PRD',
    plan: 'prd',
    due: 'plan',
    some: 'User stories',
    open: [
      ['Show Full Answers', 'Full Answers'],
      ['Edit', 'Technical requirements'],
    ],
  },
  {
    what: 'beads',
    plan: 'beads',
    due: 'plan',
    some: 'Beads by priority',
    open: [
      ['Edit', 'Add dependency'],
      ['Split…', 'Title of the second bead'],
    ],
  },
  {
    what: 'setup plan',
    plan: 'execution_setup_plan',
    due: 'plan',
    some: 'Readiness',
    open: [['Edit', 'Temporary folders']],
  },
  {
    what: 'everything',
    due: 'review',
    some: 'Excluded files',
    open: [
      ['Plan', 'Description'],
      ['Work', 'Transcript'],
      ['Reject changes of x-2', 'What is wrong? Beadsmith adds a fix bead; existing commits are kept.'],
      ['Details', 'Kept changes of failed attempts'],
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

  before(async () => (browser = await startBrowser()));

  after(() => browser.close());

  for (const { what, plan, due, some, open } of pages) {
    const shown = async (page: PageAlone, text: string): Promise<void> => {
      await until(async () => (await page.words()).includes(text), text);
    };

    it(`says everything in that language: ${what}`, async () => {
      const page = await PageAlone.open(browser, pseudoBundle(bundle), answersOfX(plan));
      await page.show({ ...ticketOfX(), due });
      await shown(page, pseudo(some));
      const left = async (): Promise<readonly string[]> =>
        (await page.words()).filter((word) => /[aeiouy]/i.test(word));
      assert.deepEqual(await left(), []);
      for (const [button, then] of open) {
        await page.press(pseudo(button));
        await shown(page, pseudo(then));
        assert.deepEqual(await left(), [], button);
        assert.equal(await page.primaryButtons(), 1, button);
      }
      await page.close();
    });

    it(`says what the code says where there are no strings: ${what}`, async () => {
      const page = await PageAlone.open(browser, undefined, answersOfX(plan));
      await page.show({ ...ticketOfX(), due });
      await shown(page, some);
      await page.close();
    });
  }
});
