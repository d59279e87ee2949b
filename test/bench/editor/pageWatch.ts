import type { BrowserContext, Page } from 'playwright-core';
import * as z from 'zod';
import { until } from '../../support/until.ts';

/** As much of a browser's page as is used. */
interface Control {
  click(): void;
  getAttribute(name: string): string | null;
}
interface Document {
  querySelector(selector: string): Control | null;
}
interface Browser {
  readonly location: { readonly href: string };
  readonly document: Document & {
    querySelector(selector: 'iframe'): { readonly contentDocument: Document | null } | null;
  };
  requestAnimationFrame(look: () => void): void;
}

const said = 'bench: the page is interactive';

/** Pages that are opened from now on tell when they are interactive. */
export async function watchPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch, said);
}

/**
 * Milliseconds since 1970, taken by the page: its parts were there, and a clicked one was open in the next
 * frame.
 */
export async function timeOfPage(page: Page, open: () => Promise<unknown>): Promise<number> {
  const told = page.waitForEvent('console', (message) => message.text().startsWith(said));
  const [message] = await Promise.all([told, open()]);
  return z.coerce.number().parse(message.text().slice(said.length));
}

export async function pagesClosed(page: Page): Promise<void> {
  await until(() => page.frames().every((frame) => !frame.url().includes('fake.html')), 'the page is closed');
}

/**
 * Runs in every frame, and stays in those that hold a page, whose document is written again with its content.
 */
function watch(words: string): void {
  const browser = globalThis as unknown as Browser;
  if (!browser.location.href.includes('/webview/browser/pre/index')) return;
  let clicked: Control | undefined;
  const look = (): void => {
    if (clicked?.getAttribute('aria-expanded') === 'true') {
      console.log(words, Date.now());
      return;
    }
    const page = browser.document.querySelector('iframe')?.contentDocument;
    const part = page?.querySelector('#page [aria-expanded=false]');
    if (part && part !== clicked) {
      clicked = part;
      part.click();
    }
    browser.requestAnimationFrame(look);
  };
  browser.requestAnimationFrame(look);
}
