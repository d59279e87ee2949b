import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { l10nBundle, pseudoBundle, tableTexts } from '../../.build/l10n.mjs';
import { l10nCalls, wordsInMarkup } from '../support/l10nCalls.ts';

const root = join(import.meta.dirname, '../..');
const Texts = z.record(z.string(), z.string());
const read = (file: string): Record<string, string> =>
  Texts.parse(JSON.parse(readFileSync(join(root, file), 'utf8')));
/** What must be in a translation as it is in the text. */
const kept = [/\{\w+\}/g, /\$\([\w~-]+\)/g, /`[^`]*`/g, /\]\([^)]*\)/g];

/**
 * Texts that aren't written where they are translated: they come from a table, or are a schema's own
 * sentence.
 */
const fromTables = [
  /^src\/views\/documents\/documentTypes\.ts documentOf\(kind\)\.title$/,
  /^src\/host\/files\/documentFiles\.ts .*rewindWarning \?\? ''$/,
  /\.label$/,
  / \w+(?:(?:Texts|Labels)[.[].*|Sentence)$/,
  /^src\/views\/gates\/replyToAgent\.ts sentence$/,
  /^src\/views\/commands\/commandTitles\.ts (?:title|about|commandRow\(name\)\.title)$/,
  /^src\/views\/shared\/fillForm\.ts (?:label|about|placeholder|done|text|confirmation\.\w+)$/,
  /^src\/views\/gates\/createPullRequest\.ts (?:flag\.button|confirmation\.\w+)$/,
  /^src\/views\/review\/forgeCommentActions\.ts (?:done|label|confirmation\.\w+)$/,
  / formOf\('\w+'\)\.about$/,
  / \w+Label\(/,
  /\.message \?\? ''$/,
  /[dD]raft\w*\.ts (?:problem\.)?message$/,
  /^src\/views\/support\/setupState\.ts text$/,
  /^(?:src\/views\/shared\/errorText|webview-ui\/base\/format)\.ts (?:sentence|text)$/,
  /^src\/views\/(?:tickets\/tree\/\w+|shared\/statusTexts)\.ts (?:column|short|label)$/,
  /^src\/views\/gates\/approveGate\.ts (?:own|text|summary\.text)$/,
  /^src\/views\/tickets\/changeLimits\.ts (?:label|plainText\(about\))$/,
  /^webview-ui\/ticket\/documents\/OneDocument\.tsx text$/,
  /^webview-ui\/base\/format\.ts text$/,
  /^src\/views\/pages\/(?:ticket(?:Page|State|Details)|transcript)\.ts (?:text|label|labels\.get\(.*|labels\[state\] \?\? state)$/,
];

describe('translation', () => {
  const calls = l10nCalls();
  const places = (some: typeof calls) =>
    some.map(({ file, line, argument }) => `${file}:${String(line)} ${argument}`);

  it('has every text of the code in l10n/bundle.l10n.json (npm run l10n)', async () => {
    // Found by the compiler: what the extractor, which writes the file, couldn't read would be missing in
    // both.
    assert.deepEqual(read('l10n/bundle.l10n.json'), await l10nBundle(calls.flatMap(({ key }) => key ?? [])));
  });

  it('translates texts that are written there, or that a table holds', async () => {
    const unknown = calls.filter(
      ({ key, file, argument }) =>
        key === undefined && !fromTables.some((one) => one.test(`${file} ${argument}`)),
    );
    assert.deepEqual(places(unknown), []);
    const bundle = read('l10n/bundle.l10n.json');
    assert.deepEqual(
      (await tableTexts()).filter(
        (text) => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, '')) && !(text in bundle),
      ),
      [],
    );
  });

  it('says no sentence of the editor in the command line again, but shares its table', () => {
    const plain = (text: string): string =>
      ` ${text
        .replaceAll(/\$\{[^{}]*\}|\{\w+\}|[^a-z]+/gi, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()} `.toLowerCase();
    const cli = globSync('src/cli/**/*.ts', { cwd: root }).map((file) =>
      plain(readFileSync(join(root, file), 'utf8')),
    );
    const own = calls.filter(({ key = '' }) => plain(key).trim().split(' ').length > 5);
    assert.deepEqual(places(own.filter(({ key = '' }) => cli.some((text) => text.includes(plain(key))))), []);
  });

  it('never puts a text together with other words', () => {
    assert.deepEqual(places(calls.filter(({ isGlued }) => isGlued)), []);
  });

  it('writes no words into the markup of pages', () => {
    assert.deepEqual(wordsInMarkup(), []);
  });

  it('translates in pages only once they know their language', () => {
    assert.deepEqual(
      places(calls.filter(({ file, isEarly }) => file.startsWith('webview-ui/') && isEarly)),
      [],
    );
  });

  for (const file of ['l10n/bundle.l10n.json', 'package.nls.json'])
    it(`keeps placeholders, icons, code and links of ${file} in another language`, () => {
      const texts = read(file);
      const pseudo = pseudoBundle(texts);
      assert.deepEqual(Object.keys(pseudo), Object.keys(texts));
      for (const [key, text] of Object.entries(texts)) {
        for (const part of kept) assert.deepEqual(pseudo[key]?.match(part), text.match(part), key);
        assert.equal(pseudo[key]?.split('\n').length, text.split('\n').length, key);
        if (/[aeiou]/i.test(text.replaceAll(/\{\w+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)/g, '')))
          assert.notEqual(pseudo[key], text, key);
      }
    });

  it('numbers placeholders from 0 without a gap', () => {
    for (const text of Object.keys(read('l10n/bundle.l10n.json'))) {
      const numbers = [
        ...new Set([...text.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number))),
      ].toSorted((a, b) => a - b);
      assert.deepEqual(
        numbers,
        numbers.map((_, at) => at),
        text,
      );
    }
  });

  it('is where package.json says', () => {
    const manifest = z
      .object({ l10n: z.string() })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    assert.equal(manifest.l10n, './l10n');
  });
});
