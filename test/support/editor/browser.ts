import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import * as z from 'zod';
import { browserModule, root } from '../../../.build/paths.mjs';

const Chromium = z.object({
  default: z.custom<{ args: readonly string[]; executablePath(): Promise<string> }>((value) => value !== undefined),
});

/** What the packaged Chromium asks for so that pages can use WebGL. Nobody here does, and a graphics card played by the processor costs half of its time. */
const webgl = ['--ignore-gpu-blocklist', '--in-process-gpu', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** Made for functions in a cloud, which have one process each: a crash of one page would be the end of all. */
const oneProcess = ['--single-process', '--no-zygote'];

/** Starts a browser, headless: the packaged Chromium on Linux, elsewhere the Chrome of the machine. The caller closes it. */
export async function startBrowser(): Promise<Browser> {
  if (process.platform !== 'linux') return chromium.launch({ channel: 'chrome', headless: true });
  // Read when the module is loaded: it unpacks its own libraries only then.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs22.x';
  const module = Chromium.parse(await import(pathToFileURL(process.env['BEADSMITH_BROWSER'] ?? browserModule()).href));
  const kept = module.default.args.filter((arg) => ![...webgl, ...oneProcess].includes(arg));
  const executablePath = await module.default.executablePath();
  return chromium.launch({ executablePath, args: [...kept, '--disable-gpu', '--disable-quic'], headless: true });
}

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
