import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutants } from '../../mutants/mutants.ts';

const root = join(import.meta.dirname, '../../..');

describe('the mutants', () => {
  it('break code that is there, once, and name a file of tests that is there', () => {
    const stale = mutants.filter(({ file, find, spec }) => {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      return text.split(find).length !== 2 || !existsSync(join(root, spec));
    });
    assert.deepEqual(
      stale.map(({ name }) => name),
      [],
    );
  });
});
