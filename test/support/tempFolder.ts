import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempFolder {
  readonly path: string;
  remove(): void;
}

/** The caller removes it. */
export function tempFolder(name = 'test'): TempFolder {
  return folderAt(realpathSync(mkdtempSync(join(tmpdir(), `beadsmith-${name}-`))));
}

export function folderAt(path: string): TempFolder {
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
