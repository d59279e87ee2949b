import { readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import * as z from 'zod';
import { root } from '../../../.build/paths.mjs';
import { pageHtml } from '../../../src/views/pages/pageHtml.ts';

const origin = 'https://page.test';
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

const wordsScript = `(() => {
  const words = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) if (texts.currentNode.parentElement.tagName !== 'SCRIPT') words.push(texts.currentNode.textContent);
  for (const element of document.querySelectorAll('body *'))
    for (const name of ['label', 'aria-label', 'title', 'placeholder']) words.push(element.getAttribute(name) ?? '');
  return words.map((word) => word.trim()).filter((word) => word !== '');
})()`;

function extensionScript(answers: Readonly<Record<string, unknown>>): string {
  return `window.acquireVsCodeApi = () => ({
    getState() {},
    setState() {},
    postMessage({ type, id, method }) {
      if (type === 'request') window.postMessage({ type: 'answer', id, ok: true, value: ${JSON.stringify(answers)}[method] });
    },
  })`;
}

/** A built page in a browser without an editor. */
export class PageAlone {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  /** `strings`: of the person's language. `answers`: by the extension's method. */
  static async open(
    browser: Browser,
    strings: unknown,
    answers: Readonly<Record<string, unknown>> = {},
  ): Promise<PageAlone> {
    const page = await browser.newPage();
    const html = pageHtml({
      title: 'TST-1',
      language: strings === undefined ? 'en' : 'ja',
      cspSource: origin,
      nonce: 'abc',
      strings,
      script: `${origin}/ticket.js`,
      styles: `${origin}/ticket.css`,
      icons: `${origin}/codicon.css`,
      place: { root: '/sample', ticket: 'TST-1' },
    });
    await page.route(`${origin}/**`, async (route) => {
      const file = basename(new URL(route.request().url()).pathname);
      if (file === '') return route.fulfill({ contentType: 'text/html', body: html });
      return route.fulfill({
        contentType: types[extname(file)] ?? '',
        body: await readFile(join(root, 'dist', 'webview', file)),
      });
    });
    await page.addInitScript(extensionScript(answers));
    await page.goto(`${origin}/`);
    return new PageAlone(page);
  }

  async show(content: unknown): Promise<void> {
    const message = { type: 'state', state: { kind: 'content', content, refusal: '' } };
    await this.#page.evaluate(`window.postMessage(${JSON.stringify(message)})`);
    await this.#page.locator('h1').waitFor();
  }

  async press(name: string): Promise<void> {
    const button = this.#page.getByRole('button', { name, exact: true });
    await button
      .or(this.#page.getByRole('tab', { name, exact: true }))
      .first()
      .click();
  }

  /** Everything a person reads or hears. */
  async words(): Promise<readonly string[]> {
    return z.array(z.string()).parse(await this.#page.evaluate(wordsScript));
  }

  async primaryButtons(): Promise<number> {
    return this.#page.locator('[data-primary]').count();
  }

  async close(): Promise<void> {
    await this.#page.close();
  }
}
