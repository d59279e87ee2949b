import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { root } from '../../../.build/paths.mjs';
import { suites } from '../../../.build/suites.mjs';

describe('the suites', () => {
  it('run every test once', () => {
    const inSuites = Object.values(suites).flatMap((suite) => ('files' in suite ? globSync(suite.files, { cwd: root }) : []));
    const found = globSync('test/**/*.test.ts', { cwd: root, exclude: ['test/fixtures/**', 'test/soak/**', 'test/bench/**'] });
    assert.deepEqual(
      found.filter((file) => inSuites.filter((other) => other === file).length !== 1),
      [],
    );
  });
});
