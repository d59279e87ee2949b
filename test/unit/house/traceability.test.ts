import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/traceability.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (?:---|Named thing|Statement)/.test(line));
const test = /`([\w/]+\.test\.ts)`: (.+) \|$/;
/** Where no test can show a thing, the decision that says why. */
const decision = / \[\d{3}\]\(decisions\/[\w-]+\.md\): .+ \|$/;

describe('traceability', () => {
  it('has what differs in each of the five designs, in tables of three columns', () => {
    const designs = page.split(/^## /m).slice(1);
    assert.deepEqual(
      designs.map((design) => design.split('| Statement | Here | Test or reason |').length - 1),
      [1, 1, 1, 1, 1],
    );
    assert.deepEqual(
      rows.filter((row) => row.split('|').length !== 5),
      [],
    );
  });

  it('says each thing once', () => {
    const [things, seen] = [rows.map((row) => row.split('|').slice(1, 3).join('|')), new Set<string>()];
    assert.deepEqual(
      things.filter((thing) => seen.has(thing) || !seen.add(thing)),
      [],
    );
  });

  it('names a test in every row, or the decision that says why there is none', () => {
    assert.ok(rows.length >= 200, `${String(rows.length)} rows`);
    const without = rows.filter((row) => !test.test(row) && !decision.test(row));
    assert.deepEqual(without, []);
  });

  it('names tests that are there, by the start of their titles', () => {
    const missing = rows.flatMap((row) => {
      const [, file = '', title = ''] = test.exec(row) ?? [];
      if (file === '') return [];
      const path = join(root, 'test', file);
      const start = new RegExp(`\\b(?:it|describe)\\(\\s*['"\`]${title.replaceAll(/[^\w\s]/g, '\\$&')}`);
      return existsSync(path) && start.test(readFileSync(path, 'utf8')) ? [] : [`${file}: ${title}`];
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
