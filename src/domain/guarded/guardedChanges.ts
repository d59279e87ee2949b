import { agentFiles, editorFiles, gitFiles, hookFiles } from './catalogue/editors.ts';
import { installerFiles, manifests, type Manifest } from './catalogue/manifests.ts';
import { runnerFiles, shellFiles } from './catalogue/runners.ts';
import { machineFiles, workflowFiles } from './catalogue/services.ts';
import {
  folded,
  type GuardedChange,
  type GuardedFile,
  type GuardedKind,
  type GuardedText,
  patternOf,
} from './catalogue/guardedChange.ts';
import { nameProblems } from './impossibleNames.ts';
import { isLockFile, lockSources } from './lockSources.ts';
import { newLines, type Entry, entriesOf, newEntries } from './catalogue/entries.ts';

/** Files that count by name alone; the first match counts. */
export const guardedFiles: readonly GuardedFile[] = [
  ...agentFiles,
  ...editorFiles,
  ...gitFiles,
  ...hookFiles,
  ...workflowFiles,
  ...machineFiles,
  ...installerFiles,
  ...runnerFiles,
  ...shellFiles,
];

const compiled = <T extends GuardedFile>(rows: readonly T[]) =>
  rows.map((row) => ({ row, pattern: patternOf(row.files) }));
const byName = compiled(guardedFiles);
const byParts = compiled(manifests);

/** A plan that names a manifest means its contents, and none of these. */
const neverPlanned: readonly GuardedKind[] = ['install_script', 'script_hook', 'source'];

/**
 * Changes that other things load (docs/decisions/165-guarded-by-default.md), without `planned` files, which
 * were agreed to. `tree`: every path of the commit.
 */
export function guardedChanges(
  files: readonly GuardedText[],
  planned: readonly string[],
  tree: readonly string[] = [],
): readonly GuardedChange[] {
  const agreed = new Set(planned);
  const names = nameProblems(files, tree);
  return files.flatMap((file) => {
    const { path } = file;
    const named = names.get(path);
    const problem: Found[] = named === undefined ? [] : [{ kind: 'name', line: null, text: named }];
    const found = [...problem, ...inFile(file, tree)].filter(
      ({ kind }) => !agreed.has(path) || neverPlanned.includes(kind),
    );
    return found.map((one) => ({ ...one, path }));
  });
}

/** The loader's kind, by file name alone, if the catalogue has it. */
export function loadedBy(path: string): GuardedKind | undefined {
  const name = folded(path);
  return byName.find(({ pattern }) => pattern.test(name))?.row.kind;
}

type Found = Pick<GuardedChange, 'kind' | 'text' | 'line'>;

function inFile(file: GuardedText, tree: readonly string[]): readonly Found[] {
  const path = folded(file.path);
  const name = path.split('/').at(-1) ?? '';
  if (name === '.gitignore' && file.isGone !== true) {
    const hidden = hidesFiles(file, tree);
    return hidden ? [{ kind: 'git', line: hidden.line, text: `hides ${hidden.text.slice(0, 80)}` }] : [];
  }
  if (isLockFile(name)) return lockSources(name, file);
  const manifest = byParts.find(({ pattern }) => pattern.test(path));
  if (manifest) return manifestChanges(manifest.row, file);
  const loaded = byName.find(({ pattern }) => pattern.test(path));
  if (!loaded) return [];
  const { kind, tool } = loaded.row;
  return [{ kind, line: null, text: file.isGone === true ? `${tool}, deleted` : tool }];
}

const likeTests = [
  'src/a.test.ts',
  'test/a.js',
  'tests/test_a.py',
  'a_test.go',
  'spec/a_spec.rb',
  'src/test/java/ATest.java',
  'package.json',
];
const mostPatterns = 100;
const longestPattern = 1_000;

/**
 * The first new pattern of a `.gitignore` that hides an existing file or tests: linters, runners and searches
 * skip these, and commits lack new ones. Build outputs hide nothing.
 */
function hidesFiles(
  { path, before, after }: GuardedText,
  tree: readonly string[],
): { readonly line: number; readonly text: string } | undefined {
  if (after === null) return { line: 1, text: "what can't be read" };
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const names = [
    ...tree.filter((one) => one.startsWith(folder) && one !== path).map((one) => one.slice(folder.length)),
    ...likeTests,
  ];
  const added = newLines(before, after).filter(({ text }) => !/^[#!]/.test(text));
  return added.find(({ text }, at) => {
    // No build needs so many, or such a pattern.
    const pattern = at >= mostPatterns ? undefined : expressionOf(text);
    return pattern === undefined || names.some((name) => pattern.test(name));
  });
}

/** Undefined if the pattern is too long or has too many stars. */
function expressionOf(pattern: string): RegExp | undefined {
  if (pattern.length > longestPattern || (pattern.match(/\*+/g) ?? []).length > 3) return undefined;
  const isRooted = /\/(?!$)/.test(pattern);
  const body = pattern
    .replace(/^\/|\/$/g, '')
    .replace(/[.+()^$|{}\\]/g, '\\$&')
    .replace(/\[!/g, '[^')
    .replace(/\*\*\/|\*\*|\*|\?/g, (star) =>
      star === '?' ? '[^/]' : star === '*' ? '[^/]*' : star === '**' ? '.*' : '(?:.*/)?',
    );
  try {
    return new RegExp(
      `^${isRooted ? '' : '(?:.*/)?'}${body}${pattern.endsWith('/') ? '/.*' : '(?:/.*)?'}$`,
      'i',
    );
  } catch {
    return undefined;
  }
}

const atInstallation = new Set(
  [
    'preinstall install postinstall prepublish prepublishOnly preprepare prepare postprepare dependencies',
    'prepack postpack publish postpublish preuninstall uninstall postuninstall pnpm:devPreinstall',
  ].flatMap((line) => line.split(' ')),
);

function manifestChanges(row: Manifest, { before, after, isGone }: GuardedText): readonly Found[] {
  // A manifest is gone with its package.
  if (isGone === true) return [];
  const [old, now] = [
    entriesOf(row.format, before),
    after === null ? undefined : entriesOf(row.format, after),
  ];
  if (!now) return [{ kind: row.kind, line: null, text: "can't be read" }];
  const keys = new Set(now.map(({ key }) => key));
  const acting = (entries: readonly Entry[]) => entries.filter((entry) => !isHarmless(row, entry));
  const added = newEntries(old ?? [], acting(now));
  const removed = newEntries(now, acting(old ?? [])).filter(
    ({ key }) => kindOf(row, key, keys) === row.kind || kindOf(row, key, keys) === 'source',
  );
  // The first line is enough: the whole is shown below the question.
  if (row.format === 'lines') {
    const [first] = [...added, ...removed.map((one) => ({ ...one, line: null }))];
    return first ? [{ kind: row.kind, line: first.line, text: row.tool }] : [];
  }
  const found = [
    ...added,
    ...removed.filter(({ key }) => !keys.has(key)).map((one) => ({ ...one, line: null })),
  ].map(({ key, line }): Found => ({
    kind: kindOf(row, key, keys),
    line,
    text: key.replace(/^scripts\./, '').slice(0, longestText),
  }));
  const seen = new Set<string>();
  return found.filter(({ text }) => !seen.has(text) && seen.add(text));
}

const longestText = 200;
/** Nobody writes longer lines by hand, and patterns could take long with them. */
const longestKey = 1_000;

function isHarmless({ harmless, dependencies }: Manifest, { key, value }: Entry): boolean {
  if (key.length > longestKey) return false;
  if (dependencies?.keys.test(key) === true) return dependencies.plain.test(value);
  // Escaped letters can hide anything.
  return !key.includes('\\u') && harmless.test(key);
}

function kindOf(
  { kinds = [], kind, dependencies }: Manifest,
  key: string,
  keys: ReadonlySet<string>,
): GuardedKind {
  const found =
    dependencies?.keys.test(key) === true ? 'source' : (kinds.find(([keys]) => keys.test(key))?.[1] ?? kind);
  if (found !== 'script') return found;
  const name = key.replace(/^scripts\./, '');
  if (atInstallation.has(name)) return 'install_script';
  const [, about] = /^(?:pre|post)(.+)$/.exec(name) ?? [];
  return about !== undefined && (about === 'version' || keys.has(`scripts.${about}`)) ? 'script_hook' : found;
}
