import type { GuardedChange, GuardedKind, GuardedText } from './catalogue/guardedChange.ts';
import { type Entry, entriesOf, newEntries } from './catalogue/entries.ts';
import type { Manifest } from './catalogue/manifests.ts';

/** Scripts that npm and its like run when something is installed or packed, or that run before others do. */
const atInstallation = new Set([
  'preinstall',
  'install',
  'postinstall',
  'prepublish',
  'prepublishOnly',
  'preprepare',
  'prepare',
  'postprepare',
  'dependencies',
  'prepack',
  'postpack',
  'publish',
  'postpublish',
  'preuninstall',
  'uninstall',
  'postuninstall',
  'pnpm:devPreinstall',
]);

type Found = Pick<GuardedChange, 'kind' | 'text' | 'line'>;

/** Lists what in a manifest acts elsewhere and wasn't there before. `text`: the key. */
export function manifestChanges(row: Manifest, { before, after, isGone }: GuardedText): readonly Found[] {
  // A manifest is gone with the package that it was about.
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
  // A list of lines is told by its first one: the whole is shown below the question.
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
  // In a key whose letters are escaped, anything can hide.
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
