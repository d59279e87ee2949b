// Draws media/icon.png, the picture of the extension in lists, from the outline in media/beads.svg. Run it
// when that changes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { browserModule, root } from './paths.mjs';

ensureNode24();
const { launchBrowser } = await import('../test/demo/editorWindow.ts');

const size = 256;
const beads = readFileSync(join(root, 'media', 'beads.svg'), 'utf8').replace(
  '<svg ',
  '<svg style="position: absolute; inset: 16%; width: 68%; height: 68%" ',
);
const tile = `position: relative; width: ${size}px; height: ${size}px; border-radius: 18%; color: #f4f6fb; background: #1d2433`;
const browser = await launchBrowser(browserModule());
try {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(
    `<body style="margin: 0; background: transparent"><div style="${tile}">${beads}</div></body>`,
  );
  await page.screenshot({ path: join(root, 'media', 'icon.png'), omitBackground: true });
} finally {
  await browser.close();
}
