import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/traceability.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:---|Named thing)/.test(line));

describe('traceability', () => {
  it('names a test in every row', () => {
    assert.ok(rows.length >= 40, `${String(rows.length)} rows`);
    const without = rows.filter((row) => !/\| `[\w/]+\.test\.ts`: .+ \|$/.test(row));
    assert.deepEqual(without, []);
  });

  it('names tests that are there, by the start of their titles', () => {
    const missing = rows.flatMap((row) => {
      const [, file = '', title = ''] = /`([\w/]+\.test\.ts)`: (.+) \|$/.exec(row) ?? [];
      const path = join(root, 'test', file);
      return existsSync(path) && readFileSync(path, 'utf8').includes(title) ? [] : [`${file}: ${title}`];
    });
    assert.deepEqual(missing, []);
  });

  it('has a test of each acceptance of reviews, parties and loops', () => {
    const wanted = Array.from({ length: 24 }, (_none, index) => `AT-${String(15 + index)}`);
    assert.deepEqual(
      wanted.filter((number) => !page.includes(number)),
      [],
    );
  });
});
