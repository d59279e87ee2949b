import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { sha256 } from '../../../src/base/sha256.ts';
import { withTeamAdmission } from '../../../src/app/teamAdmission.ts';
import { screenshot, startBrowser } from '../../support/editor/browser.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { repository, ServedBench } from '../../support/team/servedTeam.ts';
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
