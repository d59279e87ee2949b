import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes an empty folder under the system's temporary one. The caller removes it. */
export function tempFolder(name = 'test'): { readonly path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `beadsmith-${name}-`)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
