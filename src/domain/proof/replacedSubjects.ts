import { addedLines, type ChangedText } from './changedText.ts';

/** `from`: the module as the test names it. */
interface Bound {
  readonly name: string;
  readonly from: string;
}

/**
 * Places where earlier tests get another subject or assertion: imports, definitions, mocks. Renames and moves
 * don't count. `changes`: all files of the work.
 */
export function replacedSubjects(
  { path, oldPath = path, before, after }: ChangedText,
  changes: readonly ChangedText[],
): readonly { readonly line: number | null; readonly text: string }[] {
  if (before === null || after === null) return [];
  const [old, now] = [importsOf(before), importsOf(after)];
  const body = withoutImports(after).join('\n');
  const added = addedLines(before, after);
  const replaced = old.slice(0, mostNames).flatMap(({ name, from }) => {
    const isSame = (one: Bound): boolean =>
      one.name === name && (one.from === from || placeOf(path, one.from) === placeOf(oldPath, from));
    if (!hasWord(body, name) || now.some(isSame)) return [];
    const own = added.find(({ text }) => defines(text, name));
    if (own) return [own];
    const other = now.find((one) => one.name === name);
    if (!other || !isStillThere(oldPath, from, name, changes)) return [];
    return [
      added.find(({ text }) => importing.test(text) && hasWord(text, name)) ?? { line: null, text: name },
    ];
  });
  return [
    ...replaced,
    ...added.filter(({ text }) => isMock(text, before, old) || isTool(path, text, before)),
  ];
}

/** Each is looked for in the whole file. */
const mostNames = 200;

const importing = /^(?:import\b|from\b|use\b|#\s*include\b|(?:const|let|var)\b.*\brequire\(|\.\s+\S)/;

function importsOf(text: string): readonly Bound[] {
  return text.split('\n').flatMap((whole): readonly Bound[] => {
    const line = whole.trim().slice(0, 500);
    if (!importing.test(line)) return [];
    const script =
      /^(?:import\s+(.+?)\s+from|(?:const|let|var)\s+(.+?)\s*=\s*(?:await\s+)?require\()\s*['"]([^'"]+)['"]/.exec(
        line,
      );
    if (script) return namesIn(script[1] ?? script[2] ?? '').map((name) => ({ name, from: script[3] ?? '' }));
    const python = /^from\s+(\S+)\s+import\s+(.+)$/.exec(line);
    if (python) return namesIn(python[2] ?? '').map((name) => ({ name, from: python[1] ?? '' }));
    const rust = /^use\s+([\w:]+)::(?:\{(.+)\}|(\w+));$/.exec(line);
    if (rust) return namesIn(rust[2] ?? rust[3] ?? '').map((name) => ({ name, from: rust[1] ?? '' }));
    const java = /^import\s+static\s+([\w.]+)\.(\w+);$/.exec(line);
    if (java) return [{ name: java[2] ?? '', from: java[1] ?? '' }];
    const header = /^#\s*include\s+["<]([\w./-]+)\.h[">]/.exec(line)?.[1];
    return header === undefined ? [] : [{ name: header.split('/').at(-1) ?? '', from: header }];
  });
}

/** `{ a, b: c, d as e }` binds a, c and e. */
function namesIn(list: string): string[] {
  return list
    .split(/[{},()]/)
    .flatMap((part) => /(\w+)\s*$/.exec(part.replace(/\s*=.*$/, '').trim())?.[1] ?? [])
    .filter((name) => name !== 'type');
}

function defines(line: string, name: string): boolean {
  return new RegExp(
    `^(?:(?:export\\s+)?(?:const|let|var)\\s+${name}\\b(?!.*\\brequire\\()|(?:async\\s+)?(?:function|def|class|fn|pub fn)\\s+${name}\\b|#\\s*define\\s+${name}\\b|(?:[\\w<>]+\\s+)+${name}\\s*\\([^;]*\\)\\s*\\{)`,
  ).test(line);
}

/** Without ending. `path`: the importing file. */
function placeOf(path: string, from: string): string {
  const isRelative = /^\.{1,2}\//.test(from);
  const place: string[] = [];
  for (const part of (isRelative
    ? `${path.split('/').slice(0, -1).join('/')}/${from}`
    : from.replaceAll('.', '/')
  ).split('/')) {
    if (part === '..') place.pop();
    else if (part !== '.' && part !== '') place.push(part);
  }
  return place.join('/').replace(/\.[cm]?[jt]sx?$/, '');
}

function isStillThere(path: string, from: string, name: string, changes: readonly ChangedText[]): boolean {
  const base = placeOf(path, from);
  const isIt = (file: string): boolean =>
    file === base || file.replace(/(?:\/(?:index|__init__))?\.\w+$/, '') === base;
  if (changes.some(({ oldPath }) => oldPath !== undefined && isIt(oldPath))) return false;
  const file = changes.find((one) => isIt(one.path));
  if (!file) return /^\.{1,2}\//.test(from);
  return withoutImports(file.after ?? '').some((line) => hasWord(line, name));
}

function withoutImports(text: string): string[] {
  return text.split('\n').filter((line) => !importing.test(line.trim()));
}

function isMock(line: string, before: string, old: readonly Bound[]): boolean {
  const module =
    /(?:\b(?:jest|vi)\.(?:do)?[mM]ock\(|\bmock\.module\(|require\.cache\b.*resolve\()\s*['"]([^'"]+)['"]/.exec(
      line,
    )?.[1];
  if (module !== undefined) return /^[.#]/.test(module) && old.some(({ from }) => from === module);
  const [, owner = '', name = ''] =
    /\bpatch\(\s*['"]([\w.]+)\.(\w+)['"]/.exec(line) ??
    /\b(?:setattr|patch\.object)\(\s*([\w.]+),\s*['"](\w+)['"]/.exec(line) ??
    [];
  if (name === '') return false;
  return before.includes(`${owner}.${name}(`) || old.some((one) => one.from === owner && one.name === name);
}

/** A shell script that defines its comparison, or a C test that redefines `assert`. */
function isTool(path: string, line: string, before: string): boolean {
  if (/\.(?:sh|bats)$/.test(path)) {
    const name = /^(?:function\s+)?(\w+|\[)\s*\(\)/.exec(line)?.[1];
    return name !== undefined && /^(?:test|\[|diff|cmp|grep|exit|false)$/.test(name);
  }
  if (!/\.(?:c|cc|cpp|h|hpp)$/.test(path)) return false;
  const macro = /^#\s*define\s+(\w+)/.exec(line)?.[1];
  return macro !== undefined && (macro === 'NDEBUG' || new RegExp(`\\b${macro}\\(`).test(before));
}

function hasWord(text: string, word: string): boolean {
  return word !== '' && new RegExp(`\\b${word}\\b`).test(text);
}
