import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { sha256 } from '../../../src/base/sha256.ts';
import { withTeamAdmission } from '../../../src/app/teamAdmission.ts';
import type { QaChecklist } from '../../../src/domain/documents/qaChecklist.ts';
import type { InterviewSession } from '../../../src/domain/requirements/interview.ts';
import { ticketHash } from '../../../src/protocol/team/served.ts';
import { screenshot, startBrowser } from '../../support/editor/browser.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { repository, ServedBench } from '../../support/team/servedTeam.ts';
import { until } from '../../support/until.ts';
import { TeamDevice } from '../../support/teamDevice.ts';

const hostile = '<img src=x onerror="document.title=1">';
const prd = [
  'title: Greet people by name',
  `problem: ${hostile}`,
  'requirements:',
  ...Array.from(
    { length: 40 },
    (_, at) => `  - Requirement ${at + 1}: it says hello to the person with a name of its own.`,
  ),
  '',
].join('\n');

const question = { phase: 'foundation', priority: 'medium', rationale: 'It shapes the text.' } as const;
const asked = { source: 'compiled', round: 0, batch: 1 } as const;
const interview: InterviewSession = {
  schemaVersion: 1,
  winner: 'demo/model',
  maxFollowUps: 1,
  checklist: [],
  asked: [
    {
      ...question,
      ...asked,
      covers: [],
      id: 'tone',
      question: 'How does it greet?',
      answer_type: 'single_choice',
      options: [
        { id: 'formal', label: 'Formal' },
        { id: 'casual', label: 'Casual' },
      ],
    },
    {
      ...question,
      ...asked,
      covers: [],
      id: 'names',
      question: 'Which names?',
      answer_type: 'free_text',
      options: [],
    },
  ],
  settled: [],
  trimmed: [],
  answers: {},
  currentBatch: { number: 1, source: 'prompt', questionIds: ['tone', 'names'], commentary: 'Two questions.' },
  summary: null,
};

/** Runs in the page, as a script would that was smuggled in. */
const exportKey = `(async () => {
  const opening = indexedDB.open('beadsmith', 1);
  await new Promise((next) => (opening.onsuccess = next));
  const reading = opening.result.transaction('device').objectStore('device').get('key');
  await new Promise((next) => (reading.onsuccess = next));
  opening.result.close();
  return crypto.subtle.exportKey('pkcs8', reading.result.privateKey).then(() => 'exported', String);
})()`;

describe('approving from a phone', function () {
  this.timeout(180_000);
  let bench: ServedBench;
  let browser: Browser;
  let page: Page;
  // Before the database stops.
  after(async () => {
    await browser.close();
    await bench.close();
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed')
      console.error(complaints.join('\n'), await page.locator('body').innerText());
  });
  const postgres = postgresServer();
  const complaints: string[] = [];
  before(async () => {
    bench = await ServedBench.open(postgres.url);
    browser = await startBrowser({ separates: true });
    const context = await browser.newContext({ viewport: { width: 400, height: 800 }, colorScheme: 'light' });
    page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  const pictures = async (name: string): Promise<void> => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await screenshot(page, `serve-${name}-${colorScheme}`);
    }
  };
  const isAsWideAsTheWindow = (): Promise<boolean> =>
    page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');

  it('pairs, shows what waits, and signs an approval that a driver admits', async () => {
    const id = await bench.waiting(`Greet by name ${hostile}`, prd);
    const { url } = await bench.serve();
    await page.goto(url);
    const { code } = await bench.keys.pair({ person: 'Ada', role: 'admin' });
    await page.getByRole('textbox', { name: 'Pairing code' }).fill(code);
    await pictures('sign-in');
    await page.keyboard.press('Enter');

    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByRole('link', { name: /Greet by name/ }).waitFor();
    assert.equal(await isAsWideAsTheWindow(), true);
    await pictures('tickets');
    await waiting.getByRole('link', { name: /Greet by name/ }).press('Enter');

    const decision = page.getByRole('region', { name: 'Decision' });
    await decision.getByText(sha256(prd)).waitFor();
    assert.equal(await page.locator('img').count(), 0, 'texts are shown as texts');
    assert.ok((await page.locator('pre').innerText()).includes('Requirement 40'));
    assert.equal(await isAsWideAsTheWindow(), true);
    await pictures('ticket');
    await decision.getByRole('button', { name: 'Request Changes…' }).click();
    await pictures('changes');
    await decision.getByRole('button', { name: 'Cancel' }).click();
    await decision.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('status').getByText('Sent; applied when work resumes.').waitFor();

    const driving = withTeamAdmission({
      store: bench.driver.store,
      decisions: { decide: () => Promise.resolve() },
      drives: true,
      isAgent: false,
      clock: { now: () => Date.now() },
      events: { emit: () => undefined },
      repository,
      keys: bench.keys,
      key: new TeamDevice().asInstallation(),
    });
    const [entry] = await driving.inbox(id, { pending: true });
    assert.deepEqual([entry?.kind, entry?.body], ['approve', { sha256: sha256(prd), reason: '' }]);
    await bench.driver.store.commit({
      ticket: id,
      journal: [{ kind: 'inbox', id: entry?.id ?? '', outcome: 'consumed', reason: '' }],
      changes: [{ type: 'inbox', id: entry?.id ?? '', state: 'consumed', outcome: null }],
    });
    await page.getByRole('status').getByText('Approved.').waitFor();
    await pictures('approved');
  });

  it('answers an interview, and signs the answers', async () => {
    const id = await bench.asking('Ask about greetings', interview);
    await page.goto(new URL('/#', page.url()).href);
    // It is there without a reload.
    await page.getByRole('link', { name: /Ask about greetings/ }).click();
    await page.getByRole('radio', { name: 'Formal' }).check();
    await pictures('questions');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('status').getByText('Sent; applied when work resumes.').waitFor();
    const [entry] = await bench.driver.store.inbox(id, { pending: true });
    assert.equal(entry?.kind, 'answer');
    assert.deepEqual(entry.body, {
      batch: 1,
      answers: {
        tone: { selected_option_ids: ['formal'], free_text: '', skipped: false },
        names: { selected_option_ids: [], free_text: '', skipped: true },
      },
    });
    assert.match(entry.seal ?? '', /^team:/);
  });

  const filed = async (id: string) => {
    const entry = await until(
      async () => (await bench.driver.store.inbox(id, { pending: true }))[0],
      'the action is filed',
    );
    assert.match(entry.seal ?? '', /^team:/);
    return [entry.kind, entry.body];
  };

  it('takes what a ticket takes by its form, with the keyboard alone', async () => {
    const id = await bench.waiting('Cancel me', prd);
    await page.goto(new URL('/#', page.url()).href);
    await page.getByRole('link', { name: /Cancel me/ }).press('Enter');
    const actions = page.getByRole('region', { name: 'Actions' });
    await actions.getByRole('button', { name: 'Pause' }).waitFor();
    assert.equal(await actions.getByRole('button', { name: /Merge/ }).count(), 0);
    await actions.getByRole('button', { name: 'Cancel Ticket…' }).press('Enter');
    const form = actions.getByRole('group', { name: 'Cancel Ticket' });
    await form.getByText(`Cancel ${id}? A canceled ticket can’t be resumed.`).waitFor();
    await form.getByRole('textbox', { name: /Reason \(optional\)/ }).fill(hostile);
    await form.scrollIntoViewIfNeeded();
    await pictures('form');
    assert.equal(await isAsWideAsTheWindow(), true);
    await form.getByRole('button', { name: 'Cancel Ticket' }).press('Enter');
    assert.deepEqual(await filed(id), ['cancel', { reason: hostile, deleteWorktree: false }]);
  });

  it('takes an action without questions at once', async () => {
    const id = await bench.waiting('Pause me', prd);
    await page.goto(new URL('/#', page.url()).href);
    await page.getByRole('link', { name: /Pause me/ }).press('Enter');
    await page.getByRole('button', { name: 'Pause' }).press('Enter');
    assert.deepEqual(await filed(id), ['pause', {}]);
  });

  it('shows each diff with its hash, and closes a ticket, which a team merges on its forge', async () => {
    const diff = `--- a/greet.mjs\n+++ b/greet.mjs\n@@ -1 +1 @@\n-hello\n+${hostile}\n`;
    const id = await bench.reviewing('Review me', diff);
    await page.goto(new URL('/#', page.url()).href);
    await page.getByRole('link', { name: /Review me/ }).press('Enter');
    const changes = page.getByRole('region', { name: 'greet' });
    await changes.getByText(sha256(diff)).waitFor();
    await changes.getByRole('button', { name: 'Accept Bead greet' }).waitFor();
    await pictures('diff');
    const actions = page.getByRole('region', { name: 'Actions' });
    assert.equal(await actions.getByRole('button', { name: /^Merge|Undo Merge/ }).count(), 0);
    await actions.getByRole('button', { name: 'Close Without Merging…' }).press('Enter');
    const form = actions.getByRole('group', { name: 'Close Without Merging' });
    await form.getByText(`The branch ${id} is kept.`, { exact: false }).waitFor();
    await form.getByRole('button', { name: 'Close Without Merging' }).press('Enter');
    assert.deepEqual(await filed(id), ['close', { reason: '' }]);
  });

  it('shows the ticket that was opened last, also if another one is answered later', async () => {
    const [slow, quick] = [await bench.waiting('A slow one', prd), await bench.waiting('A quick one', prd)];
    await page.goto(new URL('/#', page.url()).href);
    await page.getByRole('link', { name: /A quick one/ }).waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(new RegExp(`ticket=${slow}$`), async (route) => {
      await held.promise;
      await route.continue();
    });
    const asked = page.waitForRequest(new RegExp(`ticket=${slow}$`));
    await page.getByRole('link', { name: /A slow one/ }).click();
    await asked;
    await page.goto(new URL(`/${ticketHash(repository, quick)}`, page.url()).href);
    const heading = page.getByRole('heading', { name: 'A quick one' });
    await heading.waitFor();
    const answered = page.waitForResponse(new RegExp(`ticket=${slow}$`));
    held.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((next) => setTimeout(() => requestAnimationFrame(next), 0))');
    assert.equal(await heading.count(), 1);
  });

  it('works through manual checks, and explains a failure', async () => {
    const item = {
      behavior: '',
      prerequisites: [],
      actions: ['Run greet Ada', hostile],
      expectedResult: 'Hello, Ada!',
      beadRefs: [],
      prdRefs: [],
    };
    const checklist: QaChecklist = {
      schema_version: 1,
      round: 1,
      items: [
        { ...item, id: 'qa-v1-001', title: 'It greets', severity: 'required' },
        { ...item, id: 'qa-v1-002', title: 'It is kind', severity: 'optional' },
      ],
    };
    const id = await bench.checking('Check greetings', checklist);
    await page.goto(new URL('/#', page.url()).href);
    await page.getByRole('link', { name: /Check greetings/ }).press('Enter');
    const checks = page.getByRole('region', { name: /Manual QA/ });
    await checks.getByText(sha256(JSON.stringify(checklist))).waitFor();
    const greets = checks.getByRole('group', { name: 'It greets' });
    await greets.getByRole('radio', { name: 'Fail' }).check();
    const send = checks.getByRole('button', { name: 'Send Results' });
    assert.equal(await send.isDisabled(), true, 'a failure is explained');
    await greets.getByRole('textbox', { name: 'What did you see?' }).fill('Nothing.');
    await pictures('qa');
    assert.equal(await page.locator('img').count(), 0);
    await send.press('Enter');
    assert.deepEqual(await filed(id), [
      'qa',
      { results: { 'qa-v1-001': { result: 'fail', observation: 'Nothing.' } } },
    ]);
  });

  it('keeps its key over a reload, which no script can export, and signs out when it is revoked', async () => {
    await page.goto(new URL('/#devices', page.url()).href);
    await page.reload();
    await page.getByRole('listitem').getByText('this browser').waitFor();
    await pictures('devices');
    const exported = await page.evaluate<string>(exportKey);
    assert.match(exported, /InvalidAccessError/);
    const [device] = await bench.keys.all();
    await bench.keys.revoke(device?.id ?? '');
    await page.reload();
    await page
      .getByRole('alert')
      .getByText(/revoked/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Pairing code' }).waitFor();
  });

  it('breaks no rule of its own policy', () => {
    // The refusal of a revoked key is said by the browser, too.
    assert.deepEqual(
      complaints.filter((text) => !/status of 403/.test(text)),
      [],
    );
  });
});
