import assert from 'node:assert/strict';
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

/** Called inside `describe`: a new folder for each test. All are removed after the last. */
export function folderForEach(name?: string): { readonly path: string } {
  const made: TempFolder[] = [];
  beforeEach(() => void made.push(tempFolder(name)));
  after(() => made.forEach((folder) => folder.remove()));
  return {
    get path() {
      return made.at(-1)?.path ?? assert.fail('The first one is made before the first test');
    },
  };
}
