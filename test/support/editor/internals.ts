import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';

/** As much of a browser as is needed. */
interface Element {
  remove(): void;
  cloneNode(deep: boolean): Element;
  querySelectorAll(selector: string): Iterable<Element>;
  readonly textContent: string | null;
}
declare const document: { querySelector(selector: string): Element | null };

const hash = /(?<![\w/.-])(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}(?![\w/.-])/g;
const constant = /\b[A-Z]{2,}(?:_[A-Z]+)+\b/g;
const scratch = /(?<![\w.~])\/(?:tmp|home|root|var|private|Users)\/\S+/g;

/** Words in a text that only the inside of the product knows. */
export function internalsIn(text: string): readonly string[] {
  return [hash, constant, scratch].flatMap((pattern) => [...text.matchAll(pattern)].map(([word]) => word));
}

/** What is outside of *Details*, isn't a text that others wrote, and no result of a check-up. */
export async function assertNothingInternal(frame: Frame, name: string): Promise<void> {
  const text = await frame.evaluate(() => {
    const copy = document.querySelector('main')?.cloneNode(true);
    const others =
      '#parts-details, .long, .log, .activity, .finding-code, .request, .pull-request, .check-text, textarea';
    for (const one of copy?.querySelectorAll(others) ?? []) one.remove();
    return copy?.textContent ?? '';
  });
  assert.deepEqual(internalsIn(text), [], `${name}: words of the inside`);
}
