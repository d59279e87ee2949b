// npm run demo: starts test/demo/ with the paths of this checkout, and exits with its result.
import { join } from 'node:path';
import { ensureNode24 } from './node24.mjs';
import { browserModule, opencodeBinary, root, vscodeServerMain } from './paths.mjs';

ensureNode24();
// npm puts folders of this repository on the PATH, and the demo starts git by its name.
const { safePath } = await import('../src/adapters/system/programs.ts');
process.env['PATH'] = safePath(process.env, [root]);
const { driveDemo } = await import('../test/demo/driveDemo.ts');
process.exitCode = await driveDemo(process.argv.slice(2), {
  root,
  cli: join(root, 'dist', 'cli.js'),
  person: join(root, '.build', 'personCli.mjs'),
  window: join(root, 'test', 'demo', 'drivingWindow.ts'),
  scriptedModel: join(root, 'dist', 'scriptedModel.js'),
  opencode: opencodeBinary(),
  vscodeServer: vscodeServerMain(),
  browser: process.env['BEADSMITH_BROWSER'] ?? browserModule(),
  installEditor: [join(root, '.build', 'setup.mjs'), '--for', 'test'],
});
