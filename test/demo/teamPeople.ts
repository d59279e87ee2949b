import type { Browser } from 'playwright-core';
import { root } from '../../.build/paths.mjs';
import { newProfile } from '../support/editor/browser.ts';
import { quietEditor, VscodeServer } from '../support/editor/vscodeServer.ts';
import { Workbench } from '../support/editor/workbench.ts';
import type { TeamBench } from '../support/team/teamBench.ts';

const slow = { timeout: 60_000 };

interface InBrowser {
  readonly url: string;
  readonly code: string;
  readonly say: (line?: string) => void;
}

/** A person with a phone, who approves each document that waits for them, until they are told to stop. */
export function approveInBrowser(browser: Browser, { url, code, say }: InBrowser): { stop(): Promise<void> } {
  const over = new AbortController();
  const work = (async () => {
    const context = await browser.newContext({ viewport: { width: 400, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Pairing code' }).fill(code);
    await page.keyboard.press('Enter');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await page
      .getByRole('heading', { name: /Waiting for you|Tickets/ })
      .first()
      .waitFor();
    while (!over.signal.aborted) {
      await page.goto(new URL('/#', page.url()).href);
      const links = waiting.getByRole('link');
      await page.waitForTimeout(500);
      for (const title of await links.allInnerTexts()) {
        await page.goto(new URL('/#', page.url()).href);
        const link = links.filter({ hasText: title.split('\n')[0] ?? title }).first();
        if ((await link.count()) === 0) continue;
        await link.click();
        const approve = page
          .getByRole('region', { name: 'Decision' })
          .getByRole('button', { name: 'Approve', exact: true });
        const isThere = await approve.waitFor({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        if (!isThere) continue;
        await approve.click();
        await page
          .getByRole('status')
          .getByText(/Sent|Approved/)
          .waitFor(slow);
        say(`  approved: ${title.replaceAll(/\s+/g, ' ').trim()}`);
      }
    }
    await context.close();
  })();
  // It is awaited at the end.
  work.catch(() => undefined);
  return {
    stop: () => {
      over.abort();
      return work;
    },
  };
}

interface InEditor {
  readonly bench: TeamBench;
  readonly url: string;
  readonly ids: readonly string[];
  readonly code: string;
  readonly say: (line?: string) => void;
}

/** A person with an editor, who joins the team there, and closes the tickets that were worked on. */
export async function closeInEditor(
  browser: Browser,
  { bench, url, ids, code, say }: InEditor,
): Promise<void> {
  const server = await VscodeServer.start();
  const context = await newProfile(browser, { width: 1280, height: 800 });
  try {
    const login = new URL(url);
    const { password } = login;
    login.password = '';
    server.changeSettings({ ...quietEditor, 'beadsmith.team': login.href });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const workbench = new Workbench(page);
    await workbench.open(server.address(bench.repository.root, root));
    await workbench.showView();
    await workbench.showNotification('no password is stored');
    await workbench.answerNotification('no password is stored', 'Enter Password…');
    await workbench.write('secret storage', password);
    await workbench.hideNotifications();
    await workbench.row(/\(team\)/).waitFor(slow);
    const close = async (id: string): Promise<void> => {
      await workbench.takeAction('Close Without Merging', id);
      await workbench.answerDialog('Close Without Merging');
    };
    const [first = '', ...others] = ids;
    await close(first);
    await workbench.showNotification('This device isn');
    await workbench.answerNotification('This device isn', 'Enter Pairing Code…');
    await workbench.write('An admin of the team', code);
    await workbench.statusBarItem(/Joined the team/).waitFor(slow);
    for (const id of [first, ...others]) {
      await close(id);
      say(`  closed: ${id}`);
    }
  } finally {
    await context.close();
    await server.stop();
  }
}
