import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { browserModule, root } from '../../../.build/paths.mjs';
import { launchBrowser } from '../../../src/demo/drive/editorWindow.ts';

/** Starts the browser that set-up installed, headless. The caller closes it. */
export function startBrowser(): Promise<Browser> {
  return launchBrowser(process.env['BEADSMITH_BROWSER'] ?? browserModule());
}

/** Whether tests keep pictures for people to see beside those of failures: each draws the whole window again, and nothing depends on one. */
export const arePicturesTaken = process.env['BEADSMITH_PICTURES'] === 'on';

/** Keeps what the page looks like for people to see, in `.cache/screenshots/`. A picture proves nothing, so that one less is said and no more. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = join(root, '.cache', 'screenshots');
  mkdirSync(folder, { recursive: true });
  try {
    // A picture waits for a frame, and beside another browser that may take long.
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', timeout: 30_000 });
  } catch (error) {
    console.log(`      no picture ${name}: ${String(error).split('\n')[0] ?? ''}`);
  }
}
