import type { BrowserContext, Frame, Page } from 'playwright-core';
import * as z from 'zod';

/** As much of a browser's page as is used. */
interface Content {
  querySelector(selector: string): { click(): void; readonly textContent: string | null } | null;
  querySelectorAll(selector: string): Iterable<Box>;
}
interface Box extends Content {
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}
interface Browser {
  readonly top: unknown;
  readonly innerHeight: number;
  readonly location: { readonly href: string };
  readonly document: Content & {
    querySelector(selector: 'iframe'): { readonly contentDocument: Content | null } | null;
  };
  readonly MutationObserver: new (seen: () => void) => {
    observe(node: unknown, what: object): void;
    disconnect(): void;
  };
  addEventListener(type: string, hear: (event: { readonly timeStamp: number }) => void, first: boolean): void;
  requestAnimationFrame(look: () => void): void;
}

const words = { clicked: 'bench: clicked', complete: 'bench: complete' };

/** Windows that are opened from now on tell of clicks, and pages of tickets when they are complete. */
export async function watchClicks(context: BrowserContext): Promise<void> {
  await context.addInitScript(watch, { ...words, quietMs: 400 });
}

/** Milliseconds from a click of the mouse in the workbench until the page it opens is complete. */
export async function clickToPage(page: Page, click: () => Promise<void>): Promise<number> {
  const [from, to] = await Promise.all([told(page, 'clicked'), told(page, 'complete'), click()]);
  return to - from;
}

/** Waits until a page that comes is complete. */
export async function pageComplete(page: Page, come: () => Promise<unknown>): Promise<void> {
  await Promise.all([told(page, 'complete'), come()]);
}

/** Milliseconds from a click on a button of a page until the diff that it opens is drawn. */
export async function clickToDiff(page: Page, frame: Frame, button: string): Promise<number> {
  const [to, from] = await Promise.all([page.evaluate(diffDrawn), frame.evaluate(clickNow, button)]);
  return to - from;
}

/** Milliseconds since 1970, by the clock of the page that tells it. */
async function told(page: Page, what: keyof typeof words): Promise<number> {
  const message = await page.waitForEvent('console', (one) => one.text().startsWith(words[what]));
  return z.coerce.number().parse(message.text().slice(words[what].length));
}

/**
 * Runs in every frame. A page is complete with the last frame that changed anything in it, when nothing is
 * loading and nothing changes for a while after that.
 */
function watch(about: {
  readonly clicked: string;
  readonly complete: string;
  readonly quietMs: number;
}): void {
  const browser = globalThis as unknown as Browser;
  const now = (): number => performance.timeOrigin + performance.now();
  if (browser.top === browser) {
    const hear = ({ timeStamp }: { readonly timeStamp: number }): void =>
      console.log(about.clicked, performance.timeOrigin + timeStamp);
    browser.addEventListener('pointerup', hear, true);
    return;
  }
  if (!browser.location.href.includes('/webview/browser/pre/index')) return;
  let observed: Content | undefined;
  let isChanged = false;
  let drawnAt = Number.NaN;
  const observer = new browser.MutationObserver(() => (isChanged = true));
  const look = (): void => {
    const content = browser.document.querySelector('iframe')?.contentDocument ?? undefined;
    if (content && content !== observed) {
      observer.disconnect();
      observer.observe(content, { childList: true, subtree: true, characterData: true, attributes: true });
      observed = content;
      isChanged = true;
    }
    const isComplete =
      content?.querySelector('#page > :not(.loading)') &&
      !content.querySelector('p.quiet > .codicon-loading');
    if (isChanged) {
      isChanged = false;
      // A task after this frame runs when it is drawn.
      setTimeout(() => (drawnAt = now()));
    } else if (isComplete && now() - drawnAt > about.quietMs) {
      console.log(about.complete, drawnAt);
      return;
    }
    browser.requestAnimationFrame(look);
  };
  browser.requestAnimationFrame(look);
}

/** Runs in the page. Answers when. */
function clickNow(button: string): number {
  const { document } = globalThis as unknown as Browser;
  const at = performance.timeOrigin + performance.now();
  const found = document.querySelector(button);
  if (!found) throw new Error(`The page has no ${button}.`);
  found.click();
  return at;
}

/** Runs in the workbench: every file in sight shows its lines, and what was added is colored. */
function diffDrawn(): Promise<number> {
  const browser = globalThis as unknown as Browser;
  const isDrawn = (): boolean => {
    const files = [...browser.document.querySelectorAll('.multiDiffEditor .multiDiffEntry')].filter(
      (file) => {
        const { top, bottom } = file.getBoundingClientRect();
        return bottom > top && top < browser.innerHeight && bottom > 0;
      },
    );
    return (
      files.length > 0 &&
      files.every((file) => file.querySelector('.editor.modified .view-line')?.textContent) &&
      browser.document.querySelector('.multiDiffEditor .line-insert') !== null
    );
  };
  return new Promise((resolve) => {
    const look = (): void => {
      if (isDrawn()) setTimeout(() => resolve(performance.timeOrigin + performance.now()));
      else browser.requestAnimationFrame(look);
    };
    look();
  });
}
