import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../.build/paths.mjs';
import { EditorScene } from '../support/editor/editorScene.ts';
import { type Orders, ordersVariable } from '../support/editor/hostOrders.ts';
import { type Sights, startOnlooker } from '../support/editor/onlooker.ts';
import { leavePages } from './leavePages.ts';
import type { WindowOrder } from './windows.ts';

/**
 * Runs a window's tests in VS Code's own server from npm, with a browser. Rejects if the window doesn't end
 * in time.
 */
export async function serverWindow({
  name,
  version,
  window,
  orders,
  report,
  limitMs,
}: WindowOrder): Promise<void> {
  const { driven = false, pages = false } = window;
  const scene = await EditorScene.start({
    version,
    trusted: window.trusted,
    window: driven || pages,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
    env: { [ordersVariable]: orders },
    tickets: [
      ...(window.ticket ? [{ title: 'Greet by name', at: 'interview' } as const] : []),
      ...(pages ? [{ title: 'Say goodbye', at: 'answers' } as const] : []),
    ],
  });
  const onlooker = await startOnlooker(sights(scene));
  try {
    if (driven) await scene.drive();
    if (pages) await leavePages(scene);
    const cli = { node: process.execPath, env: { ...scene.environment } };
    writeFileSync(
      orders,
      JSON.stringify({ tests: name, report, cli, onlooker: onlooker.url } satisfies Orders),
    );
    await scene.runTests(join(root, 'dist', 'test', 'host', 'index.cjs'), limitMs, pages ? 'again' : 'new');
  } finally {
    await onlooker.end();
    await scene.end();
  }
}

/** Of the window that was opened before the tests' own. */
function sights(scene: EditorScene): Sights {
  return {
    'page/SAMPL-1': () => scene.workbench.shownPage('SAMPL-1'),
    'page/SAMPL-2': () => scene.workbench.shownPage('SAMPL-2'),
    'page/SAMPL-3': () => scene.workbench.shownPage('SAMPL-3'),
    rows: async () => (await scene.workbench.rows.allInnerTexts()).join('\n'),
    close: () => scene.workbench.leave(),
  };
}
