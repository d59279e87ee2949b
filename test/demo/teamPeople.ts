import type { Browser } from 'playwright-core';

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
