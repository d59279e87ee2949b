import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type ProbeOrders, probeViews } from './probe/probeWords.ts';

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>\n';

/** Writes the extension of the benchmark's own into a folder. */
export async function writeProbe(folder: string, orders: ProbeOrders): Promise<void> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'icon.svg'), icon);
  writeFileSync(join(folder, 'orders.json'), JSON.stringify(orders));
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest()));
  await build({
    entryPoints: ['main', 'workerTimers'].map((name) =>
      fileURLToPath(new URL(`probe/${name}.ts`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['vscode'],
    logLevel: 'warning',
  });
}

function manifest(): unknown {
  const views = Object.entries(probeViews);
  return {
    name: 'bench',
    publisher: 'beadsmith-bench',
    version: '0.0.1',
    engines: { vscode: '^1.105.0' },
    extensionKind: ['workspace'],
    main: './main.cjs',
    // Not while the window starts: then everything is slow, whatever an extension does.
    activationEvents: ['onStartupFinished'],
    contributes: {
      viewsContainers: {
        activitybar: views.map(([view, title]) => ({ id: `bench-${view}`, title, icon: 'icon.svg' })),
      },
      views: Object.fromEntries(
        views.map(([view, name]) => [`bench-${view}`, [{ id: `bench.${view}`, name }]]),
      ),
    },
  };
}
