import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../.build/paths.mjs';

/**
 * Bytes. The bundle is the extension's file and all parts it may load; the driver comes on top where tickets
 * are driven.
 */
interface Packed {
  readonly vsix: string;
  readonly vsixBytes: number;
  readonly bundleBytes: number;
  readonly driverBytes: number;
}

/** As `npm run package` does. */
export async function packExtension(folder: string): Promise<Packed> {
  const vsix = join(folder, 'beadsmith.vsix');
  await promisify(execFile)(process.execPath, [join(root, '.build', 'package.mjs'), '--out', vsix], {
    cwd: root,
  });
  const dist = join(folder, '.cache', 'package', 'extension', 'dist');
  const bundles = readdirSync(dist).filter((name) => /^(extension|part-\w+)\.cjs$/.test(name));
  const bundleBytes = bundles.reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
  return {
    vsix,
    vsixBytes: statSync(vsix).size,
    bundleBytes,
    driverBytes: statSync(join(dist, 'driver.cjs')).size,
  };
}
