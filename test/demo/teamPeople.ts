import type { Browser } from 'playwright-core';

const slow = { timeout: 60_000 };

export interface DemoTicket {
  readonly id: string;
  readonly title: string;
}

/** A person who decides until they are told to stop. */
export interface Decider {
  /** Fails as soon as the person can't decide. */
  readonly work: Promise<void>;
  stop(): Promise<void>;
}

/** Starts the person's decisions. `over` tells them to stop. */
export function decider(decide: (over: AbortSignal) => Promise<void>): Decider {
  const over = new AbortController();
  const work = decide(over.signal);
  return {
    work,
    stop: () => {
      over.abort();
      return work;
    },
  };
}

interface InBrowser {
  readonly url: string;
  readonly code: string;
  readonly tickets: readonly DemoTicket[];
  readonly say: (line?: string) => void;
}

/** A person with a phone, who approves each document of these tickets that waits for them. */
export function approveInBrowser(browser: Browser, { url, code, tickets, say }: InBrowser): Decider {
  return decider(async (over) => {
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
    while (!over.aborted) {
      await page.goto(new URL('/#', page.url()).href);
      const links = waiting.getByRole('link');
      await page.waitForTimeout(500);
      for (const title of await links.allInnerTexts()) {
        if (!tickets.some((ticket) => title.includes(ticket.title))) continue;
        await page.goto(new URL('/#', page.url()).href);
        const link = links.filter({ hasText: title.split('\n')[0] ?? title }).first();
        // The ticket may have moved on since it was listed.
        const isOpen = await link.click({ timeout: 2_000 }).then(
          () => true,
          () => false,
        );
        if (!isOpen) continue;
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
        say(`  approved in the browser: ${title.replaceAll(/\s+/g, ' ').trim()}`);
      }
    }
    await context.close();
  });
}
