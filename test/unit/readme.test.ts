import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { commands } from '../../src/cli/commandTable.ts';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'README.md'), 'utf8');
const forContributors = ['contributing', 'testing'].map((page) =>
  readFileSync(join(root, `docs/${page}.md`), 'utf8'),
);
const all = (pattern: RegExp, texts: readonly string[] = [text]): readonly string[] =>
  texts.flatMap((page) => [...page.matchAll(pattern)].map(([, found = '']) => found));

describe('the README', () => {
  it('names scripts and files that are there', () => {
    const { scripts, version } = z
      .object({ scripts: z.record(z.string(), z.string()), version: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    assert.ok(all(/npm run ([\w:]+)/g).length > 3);
    const named = all(/npm run ([\w:]+)/g, [text, ...forContributors]);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
    const files = all(/\]\((?!https?:)([^)]+)\)/g);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
    for (const packed of all(/beadsmith-(?:cli-)?(\d[\d.]*\d)\.(?:vsix|tgz)/g)) assert.equal(packed, version);
  });

  it('names commands that are there', () => {
    const known: readonly string[] = commands.map(({ name }) => name);
    const named = all(/npm run beadsmith -- (\w+)/g);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((name) => !known.includes(name)),
      [],
    );
  });

  it('shows small pictures', () => {
    for (const file of all(/!\[[^\]]*\]\(([^)]+)\)/g)) {
      assert.match(file, /^docs\/[\w-]+\.png$/);
      assert.ok(statSync(join(root, file)).size <= 150_000, file);
    }
  });
});
