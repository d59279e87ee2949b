import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { root } from '../../.build/paths.mjs';
import { type Orders, ordersVariable } from '../support/editor/hostOrders.ts';
import { tempFolder } from '../support/tempFolder.ts';
import { TicketWorld } from '../support/editor/ticketWorld.ts';
import type { WindowOrder } from './windows.ts';

/** The oldest version that package.json promises. */
const versions = { newest: 'stable', oldest: '1.105.1' };

/** Runs a window's tests in a downloaded VS Code, which ends by itself. */
export async function desktopWindow({
  name,
  version,
  window,
  orders,
  report,
  limitMs,
}: WindowOrder): Promise<void> {
  const editor = await downloadAndUnzipVSCode({
    version: versions[version],
    cachePath: join(root, '.cache', 'vscode-test'),
  });
  const user = tempFolder('desktop');
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const world = await TicketWorld.start();
  try {
    const settings = { ...world.settings, 'security.workspace.trust.startupPrompt': 'never' };
    mkdirSync(join(user.path, 'User'), { recursive: true });
    writeFileSync(join(user.path, 'User', 'settings.json'), JSON.stringify(settings));
    if (window.ticket) await world.prepare({ title: 'Greet by name', at: 'interview' }, env);
    writeFileSync(
      orders,
      JSON.stringify({ tests: name, report, cli: { node: process.execPath, env } } satisfies Orders),
    );
    const args = [
      world.repository.root,
      `--extensionDevelopmentPath=${root}`,
      `--extensionTestsPath=${join(root, 'dist', 'test', 'host', 'index.cjs')}`,
      `--user-data-dir=${user.path}`,
      `--extensions-dir=${join(user.path, 'extensions')}`,
      '--no-sandbox',
      '--disable-gpu-sandbox',
      '--disable-updates',
      '--skip-welcome',
      '--skip-release-notes',
      ...(window.trusted ? ['--disable-workspace-trust'] : []),
    ];
    await ended(editor, args, { ...env, [ordersVariable]: orders }, limitMs);
  } finally {
    await world.end();
    user.remove();
  }
}

/** Its exit code says no more than the report. */
async function ended(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
): Promise<void> {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  const timer = setTimeout(() => child.kill(), limitMs);
  try {
    await new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()));
  } finally {
    clearTimeout(timer);
  }
}
