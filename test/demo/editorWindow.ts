import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Frame, type Locator, type Page } from 'playwright-core';
import * as z from 'zod';
import { BeadsmithError } from '../../src/domain/core/errors.ts';

const pageLimitMs = 60_000;

/** Everything waits as long as the page's timeout. */
export class EditorWindow {
  readonly page: Page;
  readonly quickInput: Locator;
  readonly rows: Locator;

  constructor(page: Page) {
    this.page = page;
    this.quickInput = page.locator('.quick-input-widget:visible');
    this.rows = page.locator('.sidebar .pane-body .monaco-list-row');
  }

  /** Waits until this view can be opened. */
  async open(address: string, view = 'Beadsmith'): Promise<void> {
    await this.page.goto(address);
    await this.page.locator('.monaco-workbench .activitybar').waitFor();
    await this.page.locator(`.activitybar .action-item a[aria-label^="${view}"]`).waitFor();
  }

  async showView(): Promise<void> {
    const title = this.page.locator('.sidebar .composite.title', { hasText: /beadsmith/i });
    // The whole item: a badge covers its icon.
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator('a[aria-label^="Beadsmith"]'),
    });
    const click = async (): Promise<void> => {
      // A click on a view that appears late would hide it again.
      if (!(await title.isVisible())) await item.click();
    };
    await untilItHelps(click, () => title.waitFor({ timeout: 5_000 }));
  }

  /** A window that still loads is asked again. */
  async run(command: string): Promise<void> {
    // The whole name: "Show Document" is also the beginning of "Show Document History".
    const name = new RegExp(`(^|: )${command.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}…?$`);
    const label = this.page.locator('.label-name', { hasText: name });
    const choice = this.quickInput.locator('.monaco-list-row', { has: label }).first();
    const search = async (): Promise<void> => {
      if (await this.quickInput.isVisible()) await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('F1');
    };
    await untilItHelps(search, async () => {
      // It doesn't come if the window wasn't ready for the key.
      await this.quickInput.locator('input').first().fill(`>${command}`, { timeout: 5_000 });
      await choice.waitFor({ timeout: 5_000 });
    });
    await choice.click();
  }

  choice(label: string | RegExp): Locator {
    return this.quickInput.locator('.monaco-list-row', { hasText: label });
  }

  async choose(label: string | RegExp): Promise<void> {
    await this.choice(label).first().click();
  }

  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text });
  }

  async unfold(text: string | RegExp): Promise<void> {
    const row = this.row(text).first();
    await row.waitFor();
    const collapsed = row.locator('.monaco-tl-twistie.collapsed');
    // A click on the rest of a row may open something.
    if ((await collapsed.count()) > 0) await collapsed.click();
  }

  /** The frame of a ticket's page, once it shows something. `ticket`: whose; default: any. */
  async openedPage(ticket = ''): Promise<Frame> {
    const shows = async (frame: Frame): Promise<boolean> =>
      (await frame.locator(`body[data-place*='"${ticket}']`).count()) > 0 &&
      (await frame.locator('#page > :not(.loading)').count()) > 0;
    for (const start = performance.now(); ;) {
      // A frame may vanish while it is asked.
      for (const frame of this.page.frames().filter((one) => one.url().includes('fake.html')))
        if (await shows(frame).catch(() => false)) return frame;
      if (performance.now() - start > pageLimitMs)
        throw new BeadsmithError('UNEXPECTED', {
          reason: `the page of ${ticket || 'a ticket'} showed nothing within ${String(pageLimitMs)} ms`,
        });
      await this.page.waitForTimeout(5);
    }
  }
}

/** Repeats `act` until `hasHelped` succeeds, for windows that still start. */
export async function untilItHelps(
  act: () => Promise<void>,
  hasHelped: () => Promise<unknown>,
  tries = 6,
): Promise<void> {
  for (let left = tries - 1; ; left--) {
    await act();
    try {
      await hasHelped();
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const Chromium = z.object({
  default: z.custom<{ args: readonly string[]; executablePath(): Promise<string> }>(
    (value) => value !== undefined,
  ),
});

/** WebGL, which no page uses, and whose emulation takes half of the processor. */
const webgl = [
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];
/** A crash of one page would be the end of all. */
const oneProcess = ['--single-process', '--no-zygote'];
/** Without them, a page's requests say where they come from. */
const oneSite = [
  '--disable-web-security',
  '--disable-site-isolation-trials',
  '--allow-running-insecure-content',
];

/** Without optimizing compilers: in a window of a minute they cost a fifth more. */
const unoptimized = '--js-flags=--no-opt --no-maglev';

/** Linux: the Chromium of the module `packaged`. `optimizes`: its scripts, for measurements. */
export async function launchBrowser(
  packaged: string,
  { optimizes = false, separates = false } = {},
): Promise<Browser> {
  const own = optimizes ? [] : [unoptimized];
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome', headless: true, args: own });
  // Read when the module is loaded; without it, its libraries aren't unpacked.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x';
  const module = Chromium.parse(await import(pathToFileURL(packaged).href));
  const kept = module.default.args.filter(
    (arg) => ![...webgl, ...oneProcess, ...(separates ? oneSite : [])].includes(arg),
  );
  const executablePath = await module.default.executablePath();
  return chromium.launch({
    executablePath,
    args: [...kept, '--disable-gpu', '--disable-quic', ...own],
    headless: true,
  });
}
