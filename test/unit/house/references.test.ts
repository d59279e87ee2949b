import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { addingPatches } from '../../support/addingPatches.ts';

const root = join(import.meta.dirname, '../../..');
const self = relative(root, import.meta.filename).replaceAll('\\', '/');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const parsed = (file: string): Record<string, string> => JSON.parse(text(file)) as Record<string, string>;
const files = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file !== self);

const code = files([
  '{src,test,webview-ui,.build,.ci}/**/*.{ts,tsx,mjs,cjs,css,yaml,yml}',
  '.*.mjs',
  '.github/**/*.yml',
]);
const pages = files(['docs/**/*.md', 'README.md', 'CHANGELOG.md']);

/**
 * Where a page of this repository is named: its path, then a section (`§5.8`) or an anchor. Addresses name
 * pages of others.
 */
const citation = /(?<!https:\/\/[^\s'"]{0,300})\bdocs\/(?:[\w-]+\/)*[\w-]+\.\w+(?:#[\w-]+| §\d+(?:\.\d+)?)?/g;
const link = /\]\((?!https?:|command:)([^)\s]+)\)/g;

/** Words by which a comment would cite something that a reader of this repository doesn't have. */
const elsewhere: readonly RegExp[] = [
  /LoopTroop|Context Pilot|\bBMAD\b|\bRalph\b|\bseed 0\d\d\b/,
  /\b(?:architecture|platform-facts|reliability-performance|peers|style|words|looptroop)\.md\b/,
  /\bplatform[- ]facts\b|\breliability-performance\b/,
  // A section, rule or invariant without the page it stands on.
  /(?<!docs\/[\w/-]+\.md )§/,
  /\bsections? \d+(?:\.\d+)?\b/,
  /\b(?:rules?|invariants?) \d+\b/,
];

function headingsOf(page: string): readonly string[] {
  return text(page)
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.replace(/^#+ /, ''));
}

/** As the forges make them. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** `5` is a numbered heading; `5.8` is item 8 of the list below it. */
function hasSection(page: string, number: string): boolean {
  const [section = '', item] = number.split('.');
  const body = text(page)
    .split(/^## /m)
    .find((part) => part.startsWith(`${section}. `));
  return body !== undefined && (item === undefined || new RegExp(`^${item}\\. `, 'm').test(body));
}

function problemOf(reference: string): string | undefined {
  const [, page = '', anchor, section] = /^([^#\s]+)(?:#(.+)| §(.+))?$/.exec(reference) ?? [];
  if (!existsSync(join(root, page))) return 'there is no such file';
  if (section !== undefined && !hasSection(page, section)) return 'the page has no such section';
  if (anchor !== undefined && !headingsOf(page).map(anchorOf).includes(anchor))
    return 'the page has no such heading';
  return undefined;
}

function problems(file: string, references: readonly string[]): string[] {
  return references.flatMap((reference) => {
    const problem = problemOf(reference);
    return problem === undefined ? [] : [`${file} → ${reference}: ${problem}`];
  });
}

describe('references', () => {
  it('from code and pages to docs/ lead to a page, and to a section or heading of it', () => {
    const cited = [...code, ...pages].flatMap((file) => problems(file, text(file).match(citation) ?? []));
    assert.deepEqual(cited, []);
  });

  it('between pages lead somewhere', () => {
    const linked = pages.flatMap((file) =>
      problems(
        file,
        [...text(file).matchAll(link)].map(([, target = '']) =>
          target.startsWith('#') ? file + target : join(dirname(file), target).replaceAll('\\', '/'),
        ),
      ),
    );
    assert.deepEqual(linked, []);
  });

  it('name nothing that is not in this repository', () => {
    const guilty = [...code, ...pages].flatMap((file) =>
      text(file)
        .split('\n')
        .flatMap((line, index) =>
          elsewhere.some((pattern) => pattern.test(line))
            ? [`${file}:${String(index + 1)}: ${line.trim()}`]
            : [],
        ),
    );
    assert.deepEqual(guilty, []);
  });

  it('to pages are in the index of docs/, each page once', () => {
    const listed = [...text('docs/README.md').matchAll(link)].map(([, target = '']) => target);
    const there = files(['docs/*.md']).map((file) => file.slice('docs/'.length));
    const expected = [...there.filter((page) => page !== 'README.md'), '../README.md', 'decisions/README.md'];
    assert.deepEqual(listed.toSorted(), expected.toSorted());
  });

  it('to decisions are in the index, each page once', () => {
    const index = text('docs/decisions/README.md');
    const listed = [...index.matchAll(link)]
      .map(([, target = '']) => target)
      .filter((target) => /^\d/.test(target));
    const there = files(['docs/decisions/[0-9]*.md']).map((file) => file.slice('docs/decisions/'.length));
    assert.deepEqual(listed.toSorted(), there.toSorted());
    for (const page of there) {
      const title = headingsOf(`docs/decisions/${page}`)[0] ?? '';
      const row = index.split('\n').find((line) => line.startsWith(`- [${title}](${page}): `)) ?? '';
      assert.match(row, /: \S.{10,}\.$/, `${page} isn't listed as "${title}", with a clause about it`);
    }
  });

  it('to commands are by the names that people see', () => {
    const shown = new Set([
      ...Object.values(parsed('package.nls.json')),
      ...Object.keys(parsed('l10n/bundle.l10n.json')),
    ]);
    const named = pages.flatMap((file) =>
      [
        ...text(file).matchAll(
          /(?<![*\w])\*((?:Beadsmith: )?[A-Z][\w ]+…)\*(?![*\w])|\*Beadsmith: ([\w ]+)\*/g,
        ),
      ].map(([, asks, runs]) => [file, (asks ?? runs ?? '').replace('Beadsmith: ', '')] as const),
    );
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter(([, name]) => !shown.has(name)).map(([file, name]) => `${file} → ${name}`),
      [],
    );
  });

  it('explain each term of the glossary once', () => {
    const rows = [...text('docs/GLOSSARY.md').matchAll(/^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].filter(
      ([, term]) => !['Term', '---'].includes(term ?? ''),
    );
    const terms = rows.map(([, term = '']) => term);
    assert.ok(terms.length > 100);
    assert.deepEqual(terms, [...new Set(terms)]);
  });

  it('to source files on pages lead to files', () => {
    const named = pages
      .filter((file) => file !== 'CHANGELOG.md')
      .flatMap((file) =>
        [...text(file).matchAll(/`((?:src|test|webview-ui|prompts|\.build)\/[\w./-]+)`/g)].map(
          ([, path = '']) => [file, path] as const,
        ),
      );
    // docs/adding.md names files that its patches create.
    const added = new Set(addingPatches().flatMap((patch) => patch.files));
    const missing = named
      .filter(([, path]) => !existsSync(join(root, path)) && !added.has(path))
      .map(([file, path]) => `${file} → ${path}`);
    assert.deepEqual(missing, []);
  });
});
