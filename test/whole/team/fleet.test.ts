import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { openWorkerStore } from '../../../src/adapters/store/workerStore.ts';
import { locations } from '../../../src/app/locations.ts';
import { openFleet } from '../../../src/app/runner/fleet.ts';
import { openTeam } from '../../../src/app/team.ts';
import { dayOf } from '../../../src/base/days.ts';
import { TeamOfServer } from '../../../src/cli/serve/teamOfServer.ts';
import type { TeamRole } from '../../../src/domain/team/keys.ts';
import { sumOfDays } from '../../../src/protocol/team/fleet.ts';
import { screenshot, startBrowser } from '../../support/editor/browser.ts';
import { withCode } from '../../support/git/gitBench.ts';
import { postgresServer } from '../../support/storeContract/postgresServer.ts';
import { repository, ServedBench } from '../../support/team/servedTeam.ts';

const dayMs = 86_400_000;

describe('a team’s fleet', function () {
  this.timeout(120_000);
  let bench: ServedBench;
  let ticket: string;
  // Before the database stops.
  after(() => bench.close());
  const postgres = postgresServer();
  before(async () => {
    bench = await ServedBench.open(postgres.url);
    ticket = await bench.waiting('Greet by name');
    await bench.runner();
    for (const [at, cost] of [
      [0, 0.5],
      [0, 0],
      [dayMs, 0.25],
      [40 * dayMs, 9],
    ] as const)
      await bench.spend(ticket, Date.now() - at, cost);
    const options = { url: postgres.url, repository: 'acme/web', runner: 'bench', origin: '' };
    await (await openWorkerStore(locations.teamWorker, options)).store.close();
    await bench.query('DROP TABLE beadsmith_2.tickets CASCADE');
    const docs = { ...options, repository: 'acme/docs' };
    await (await openWorkerStore(locations.teamWorker, docs)).store.close();
    await bench.query('DROP SCHEMA beadsmith_3 CASCADE');
  });

  it('adds up the cost of each day, and names what waits for whom, also beside a damaged repository', async () => {
    await bench.device('reviewer', 'Ada');
    await bench.device('reader', 'Rita');
    const fleet = await openFleet({ url: postgres.url, env: process.env });
    try {
      await fleet.limit(6);
      const state = await fleet.read();
      assert.deepEqual(
        state.runners.map(({ id, wanted, silent, can }) => [id, wanted, silent, can['system']]),
        [['runner-1', 'work', false, 'Linux']],
      );
      const [good, broken, other] = state.repositories;
      assert.deepEqual([good?.name, good?.tickets, good?.failure], [repository, 1, null]);
      assert.equal(good?.days.length, 7);
      const [yesterday, today] = good.days.slice(-2);
      assert.deepEqual(today, { day: dayOf(Date.now()), answers: 2, tokens: 300, money: 0.5, unpriced: 1 });
      assert.deepEqual([yesterday?.answers, yesterday?.money], [1, 0.25]);
      assert.equal(sumOfDays(good.days).money, 0.75);
      assert.deepEqual([broken?.name, broken?.days], ['acme/web', []]);
      for (const failure of [broken?.failure, other?.failure]) assert.match(failure ?? '', /^[A-Z_]+$/);
      assert.deepEqual(
        state.waiting.map(({ since: _since, ...one }) => one),
        [
          {
            repository,
            ticket,
            title: 'Greet by name',
            label: 'Approve the PRD',
            kind: 'needsYou',
          },
        ],
      );
      assert.deepEqual(state.atWork, { tickets: 0, most: 6 });
      assert.deepEqual(state.deciders, { roles: ['reviewer', 'admin'], people: ['Ada'] });
    } finally {
      await fleet.close();
    }
  });

  it('says what to do about tables of an older version', async () => {
    await bench.query('UPDATE beadsmith.about SET version = version - 1');
    try {
      await assert.rejects(openFleet({ url: postgres.url, env: process.env }), withCode('TEAM_TABLES'));
    } finally {
      await bench.query('UPDATE beadsmith.about SET version = version + 1');
    }
  });

  it('leaves no connection behind for what can’t be read', async () => {
    const team = new TeamOfServer(openTeam({ url: postgres.url, env: process.env }));
    const connections = async (): Promise<unknown> =>
      (await bench.query(`SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'`))[0];
    try {
      assert.deepEqual((await team.views()).unread, ['acme/docs', 'acme/web']);
      const before = await connections();
      for (let again = 0; again < 3; again++) await team.views();
      assert.deepEqual(await connections(), before);
    } finally {
      await team.close();
    }
  });

  describe('in a browser', () => {
    let browser: Browser;
    let page: Page;
    let url: string;
    const complaints: string[] = [];
    after(() => browser.close());
    before(async () => {
      browser = await startBrowser({ separates: true });
      ({ url } = await bench.serve());
    });
    afterEach(async function () {
      if (this.currentTest?.state === 'failed')
        console.error(complaints.join('\n'), await page.locator('body').innerText());
    });
    const signIn = async (role: TeamRole, width: number): Promise<void> => {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: 'light' });
      page = await context.newPage();
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(url);
      const { code } = await bench.keys.pair({ person: role === 'admin' ? 'Ada' : 'Rita', role });
      await page.getByRole('textbox', { name: 'Pairing code' }).fill(code);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Fleet' }).press('Enter');
      await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    };
    const pictures = async (name: string): Promise<void> => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await screenshot(page, `fleet-${name}-${colorScheme}`);
      }
      await page.emulateMedia({ forcedColors: 'active' });
      await screenshot(page, `fleet-${name}-contrast`);
      await page.emulateMedia({ forcedColors: 'none' });
    };
    const runners = () => page.getByRole('region', { name: 'Runners' });

    it('lets an admin order runners with the keyboard, on a phone', async () => {
      await signIn('admin', 400);
      await runners().getByText('idle').waitFor();
      await page.getByText('0 of 6 tickets at work in all').waitFor();
      await page.getByRole('region', { name: 'Waiting for people' }).getByText('Greet by name').waitFor();
      const cost = page.getByRole('region', { name: 'Cost of the last 7 days' });
      await cost.getByText('≥ $0.75').waitFor();
      await cost.getByText(/The tickets of acme\/web can’t be read/).waitFor();
      await pictures('admin');
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true);
      await runners().getByRole('button', { name: 'Pause build-1' }).press('Enter');
      await runners().getByText('paused').waitFor();
      assert.match(
        await page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? ""'),
        /build-1/,
        'the focus stays with the runner',
      );
      await runners().getByRole('button', { name: 'Resume build-1' }).press('Enter');
      await runners().getByText('idle').waitFor();
      await runners().getByRole('button', { name: 'Remove… build-1' }).press('Enter');
      await pictures('remove');
      await runners().getByRole('button', { name: 'Remove Runner' }).press('Enter');
      await runners().getByText('ending').waitFor();
      // It is taken for gone after a minute, and then forgotten.
      await bench.query('UPDATE beadsmith.runners SET seen_at = 0');
      await runners().getByText('silent').waitFor();
      await runners().getByRole('button', { name: 'Remove… build-1' }).press('Enter');
      await runners().getByRole('button', { name: 'Remove Runner' }).press('Enter');
      await runners().getByText('No runner is there.').waitFor();
      await pictures('empty');
    });

    it('shows a reader the same without orders', async () => {
      await bench.runner();
      await bench.runner('build-2', 'runner-2');
      await signIn('reader', 1_100);
      await runners().getByText('build-2').waitFor();
      assert.equal(await runners().getByRole('button').count(), 0);
      await pictures('reader');
      // The list of tickets says what it hasn't, too.
      await page.getByRole('link', { name: 'Tickets' }).press('Enter');
      await page.getByText('The tickets of acme/docs, acme/web can’t be read.').waitFor();
      await page.getByRole('link', { name: /Greet by name/ }).waitFor();
    });

    it('breaks no rule of the page’s policy', () => {
      assert.deepEqual(complaints, []);
    });
  });
});
