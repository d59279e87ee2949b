// A shell remembers where it found `node`. In `node setup && node test` the second one is therefore still the
// machine's Node, even though set-up has just put Node 24 first on the PATH. Scripts that need Node 24 start
// themselves again with it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { binFolder, projectNode } from './paths.mjs';

/**
 * Returns under Node 24 or later, with the project's commands first on the PATH. Otherwise runs this process
 * again and exits.
 */
export function ensureNode24() {
  const path = process.env['PATH'] ?? '';
  if (!path.split(delimiter).includes(binFolder())) process.env['PATH'] = `${binFolder()}${delimiter}${path}`;
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  if (!existsSync(projectNode())) {
    console.error('Node 24 is not installed in this folder yet. Run: node .build/setup.mjs');
    process.exit(1);
  }
  const again = spawnSync(projectNode(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit(again.status ?? 1);
}
