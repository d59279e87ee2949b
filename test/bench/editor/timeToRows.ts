import type { Page } from 'playwright-core';

/** As much of a browser's page as is used here: tests have no types of one. */
interface Box {
  readonly textContent: string | null;
  click(): void;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number; readonly height: number };
}
interface Browser {
  readonly document: { readonly body: unknown; querySelectorAll(selector: string): Iterable<Box> };
  readonly performance: { now(): number };
  readonly MutationObserver: new (seen: () => void) => {
    observe(node: unknown, what: object): void;
    disconnect(): void;
  };
}

const limitMs = 30_000;

/**
 * Clicks a view's icon in the activity bar, and answers the milliseconds from there until its tree fills the
 * side bar: the last row that there is room for is in the document. `text` is what its rows begin with, as a
 * regular expression. Both ends are taken in the page.
 */
export async function timeToRows(page: Page, icon: string, text: RegExp): Promise<number> {
  const item = `.activitybar .action-item a[aria-label^="${icon}"]`;
  return Promise.race([
    page.evaluate(clickAndWatch, { item, text: text.source }),
    new Promise<never>((_, reject) =>
      setTimeout(() => reject(new Error(`${icon} shows no rows`)), limitMs).unref(),
    ),
  ]);
}

/** Runs in the page. */
function clickAndWatch(about: { readonly item: string; readonly text: string }): Promise<number> {
  const browser = globalThis as unknown as Browser;
  const text = new RegExp(about.text);
  const isFull = (): boolean => {
    const lists = [
      ...browser.document.querySelectorAll('.sidebar .pane-body .monaco-list .monaco-scrollable-element'),
    ];
    const bottom = Math.max(...lists.map((list) => list.getBoundingClientRect().bottom));
    const rows = [...browser.document.querySelectorAll('.sidebar .pane-body .monaco-list-row')];
    const last = rows.reduce<Box | undefined>(
      (lowest, row) => (lowest && below(lowest) > below(row) ? lowest : row),
      undefined,
    );
    return last !== undefined && text.test(last.textContent ?? '') && below(last) >= bottom;
  };
  const below = (box: Box): number => box.getBoundingClientRect().bottom;
  return new Promise((resolve) => {
    const start = browser.performance.now();
    const observer = new browser.MutationObserver(() => {
      if (!isFull()) return;
      observer.disconnect();
      resolve(browser.performance.now() - start);
    });
    observer.observe(browser.document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
    for (const icon of browser.document.querySelectorAll(about.item)) icon.click();
  });
}
