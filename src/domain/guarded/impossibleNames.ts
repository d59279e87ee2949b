import type { GuardedText } from './catalogue/guardedChange.ts';

/** Device names of Windows, with any ending. */
const devices = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\..*)?$/i;
const forbidden = /[<>:"|?*\\\p{Cc}]|[. ]$/u;
/** Unseen characters that some systems drop from names: HFS+ took `.g\u200Cit` for `.git`. */
const unseen = /[\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/;

/** The reason why a system can't have a new path or confuses it with another, if any. */
export function nameProblems(
  files: readonly GuardedText[],
  tree: readonly string[],
): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  const added = files
    .filter(({ before, after, isGone }) => isGone !== true && (before === null || after === null))
    .map(({ path }) => path);
  if (added.length === 0) return problems;
  const spellings = spellingsOf(tree);
  for (const path of added) {
    const names = path.split('/');
    const bad = names.find((name) => devices.test(name) || forbidden.test(name));
    if (bad !== undefined) problems.set(path, "a name that Windows can't have");
    else if (unseen.test(path)) problems.set(path, 'a name with characters that nobody sees');
    const twin = prefixesOf(path).find((prefix) => (spellings.get(spelled(prefix))?.size ?? 0) > 1);
    if (twin === undefined || problems.has(path)) continue;
    const others = [...(spellings.get(spelled(twin)) ?? [])].filter((one) => one !== twin);
    problems.set(path, `the same name as ${others[0] ?? ''} where letter case doesn't count`);
  }
  return problems;
}

/** Spellings that are one name without case, by their topmost part. */
export function namesakes(tree: readonly string[]): readonly (readonly string[])[] {
  const groups = [...spellingsOf(tree)].filter(([, spellings]) => spellings.size > 1);
  const isBelow = (key: string): boolean => groups.some(([above]) => key.startsWith(`${above}/`));
  return groups.filter(([key]) => !isBelow(key)).map(([, spellings]) => [...spellings]);
}

function spellingsOf(tree: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const spellings = new Map<string, Set<string>>();
  const seen = new Set<string>();
  for (const prefix of tree.flatMap(prefixesOf)) {
    if (seen.has(prefix)) continue;
    seen.add(prefix);
    const key = spelled(prefix);
    spellings.set(key, (spellings.get(key) ?? new Set()).add(prefix));
  }
  return spellings;
}

function spelled(path: string): string {
  return path.normalize('NFC').toLowerCase().normalize('NFC');
}

function prefixesOf(path: string): readonly string[] {
  const names = path.split('/');
  return names.map((_, at) => names.slice(0, at + 1).join('/'));
}
