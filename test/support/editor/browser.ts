import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { browserModule, root } from '../../../.build/paths.mjs';
import { launchBrowser } from '../../demo/editorWindow.ts';

/**
 * `optimizes`: scripts run as fast as in a person's window. `separates`: sites from each other, as a person's
 * browser does. The caller closes it.
 */
export function startBrowser(
  options: { readonly optimizes?: boolean; readonly separates?: boolean } = {},
): Promise<Browser> {
  return launchBrowser(process.env['BEADSMITH_BROWSER'] ?? browserModule(), options);
}

const stillStyle = `{
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important }');
  document.adoptedStyleSheets.push(still);
}`;

/** Nothing moves: a progress bar without a graphics card costs a tenth of a window. */
export async function newProfile(
  browser: Browser,
  viewport: { readonly width: number; readonly height: number },
): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport });
  await context.addInitScript({ content: stillStyle });
  return context;
}

const wanted = process.env['BEADSMITH_PICTURES'] ?? '';
/** Each picture draws the whole window again, and nothing depends on one. */
export const arePicturesTaken = wanted !== '';
/** Names a folder: whole pages are taken in every theme, narrow and wide. Undefined: windows as they are. */
export const pageFolder = arePicturesTaken && wanted !== 'on' ? wanted : undefined;

/** For people, in `.cache/screenshots/` or that folder; one less is said and no more. `of`: a part of it. */
export async function screenshot(page: Page, name: string, of?: Locator): Promise<void> {
  const folder = pageFolder ?? join(root, '.cache', 'screenshots');
  mkdirSync(folder, { recursive: true });
  try {
    // Beside another browser this may take long.
    await (of ?? page).screenshot({
      path: join(folder, `${name}.png`),
      animations: 'disabled',
      timeout: 30_000,
    });
  } catch (error) {
    console.log(`      no picture ${name}: ${String(error).split('\n')[0] ?? ''}`);
  }
}
