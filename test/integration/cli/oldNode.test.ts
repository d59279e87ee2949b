import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../../../.build/paths.mjs';
import { exitCodes } from '../../../src/cli/base/exitCodes.ts';
import { nodeTooOld } from '../../../src/cli/nodeVersion.ts';

const withoutDatabase = [
  '--no-experimental-sqlite',
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.9.0'}})`,
];

/** The first Node on the PATH that can't run the product. */
function oldNode(): { readonly path: string; readonly version: string } | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = folders
    .map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node'))
    .filter((path) => existsSync(path));
  for (const path of new Set(paths)) {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    const version = stdout.trim().replace(/^v/, '');
    if (version !== '' && nodeTooOld(version) !== undefined) return { path, version };
  }
  return undefined;
}

describe('the built command line on a Node that is too old', () => {
  function refusal(node: string, args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(node, [...args, join(root, 'dist', 'cli.js'), 'list'], {
      encoding: 'utf8',
    });
    assert.equal(status, exitCodes.failed, stderr);
    assert.equal(stdout, '');
    return stderr;
  }

  it('says which one it needs, in two lines and without a stack', () => {
    assert.equal(refusal(process.execPath, withoutDatabase), nodeTooOld('20.9.0'));
  });

  it('says so on the one of this machine', function () {
    const found = oldNode();
    if (!found) {
      console.log('skipped: every Node on the PATH of this machine can run beadsmith');
      this.skip();
    }
    assert.equal(refusal(found.path, []), nodeTooOld(found.version));
  });
});
