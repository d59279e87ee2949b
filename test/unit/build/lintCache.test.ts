import assert from 'node:assert/strict';
import { keysOf } from '../../../.build/lintCache.mjs';

const before: Readonly<Record<string, string>> = {
  'src/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
  'src/b.ts': "export type B = import('./deep/c.ts').C;",
  'src/deep/c.ts': "export * from '../b.ts';\nexport type C = 1;",
  'src/d.ts': "import './missing.ts';",
  'src/globals.d.ts': "declare module '*.css';",
};

/** The files that lint checks again once these texts are there as well. */
function checkedAgain(changes: Readonly<Record<string, string>>): string[] {
  const keys = (texts: Readonly<Record<string, string>>): Record<string, string> =>
    keysOf(
      Object.keys(before).filter((file) => file in texts),
      (file) => texts[file],
    );
  const [old, now] = [keys(before), keys({ ...before, ...changes })];
  return Object.keys(now).filter((file) => now[file] !== old[file]);
}

describe('the cache of lint', () => {
  it('checks nothing again when nothing has changed', () => {
    assert.deepEqual(checkedAgain({}), []);
  });

  it('checks a file again when something has changed that it imports, at any distance and in a circle too', () => {
    assert.deepEqual(checkedAgain({ 'src/a.ts': 'export type A = 2;' }), ['src/a.ts']);
    assert.deepEqual(checkedAgain({ 'src/deep/c.ts': 'export type C = 2;' }), [
      'src/a.ts',
      'src/b.ts',
      'src/deep/c.ts',
    ]);
  });

  it('checks a file again when what it imports appears', () => {
    assert.deepEqual(checkedAgain({ 'src/missing.ts': 'export {};' }), ['src/d.ts']);
  });

  it('checks all files again when something has changed that is known everywhere', () => {
    const all = Object.keys(before);
    assert.deepEqual(checkedAgain({ 'src/globals.d.ts': "declare module '*.txt';" }), all);
    for (const file of [
      'package-lock.json',
      'webview-ui/tsconfig.json',
      '.oxlint.config.mts',
      '.build/rooms.mjs',
    ])
      assert.deepEqual(checkedAgain({ [file]: 'other' }), all, file);
  });
});
