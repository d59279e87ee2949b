/** A place of rules; `folder`: their scope, '' for all. */
export interface RulesPlace {
  readonly folder: string;
  readonly path: string;
}

export interface RulesFile extends RulesPlace {
  readonly text: string;
}

/**
 * By rank: the last is cut first. A slash at the end means a folder. From each tool's documentation
 * (docs/decisions/101-repository-rules.md).
 */
const anywhere = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.cursor/rules/',
  '.claude/rules/',
  'CONTRIBUTING.md',
] as const;
const atTop = [
  'AGENTS.md CLAUDE.md GEMINI.md AGENT.md .claude/CLAUDE.md .claude/rules/',
  '.github/copilot-instructions.md .github/instructions/ .cursor/rules/ .cursorrules .windsurf/rules/',
  '.windsurfrules .clinerules .clinerules/ .roo/rules/ .roorules .kilocode/rules/ .kilocoderules',
  '.kiro/steering/ .junie/guidelines.md .aiassistant/rules/ .amazonq/rules/ .augment/rules/',
  '.augment-guidelines .continue/rules/ .trae/rules/ .qoder/rules/ .openhands/microagents/repo.md',
  '.goosehints .rules .idx/airules.md QWEN.md CRUSH.md WARP.md CONVENTIONS.md CONTRIBUTING.md',
  'contributing.md CONTRIBUTING .github/CONTRIBUTING.md',
].flatMap((line) => line.split(' '));

/** Characters (docs/decisions/101-repository-rules.md). */
const longestFile = 8_000;
const longestRules = 24_000;
/** A shorter piece says nothing. */
const shortestPiece = 200;
const mostFolders = 60;

/** Places of rules for these files, from the top folder down. */
export function rulesPlaces(files: readonly string[]): readonly RulesPlace[] {
  return foldersOf(files).flatMap((folder) =>
    (folder === '' ? atTop : anywhere).map((name) => ({
      folder,
      path: folder === '' ? name : `${folder}/${name}`,
    })),
  );
}

/** True if this path is a place of rules for its own folder. */
export function isRulesFile(path: string): boolean {
  return rulesPlaces([path]).some((place) => isAt(place, path));
}

export function isAt({ path: place }: RulesPlace, path: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) && /\.(?:mdc?|txt)$/.test(path) : path === place;
}

/**
 * The rules for a prompt, top folder first. Too long ones are cut, with a note, those for people first.
 * Pointers and repetitions are left out.
 */
export function rulesText(files: readonly RulesFile[]): string {
  const own = files.map((file) => ({ ...file, text: ownText(file.text) })).filter(({ text }) => text !== '');
  const unique = own.filter(({ text }, index) => own.findIndex((other) => other.text === text) === index);
  const shown = new Map<string, string>();
  const leftOut: string[] = [];
  let left = longestRules;
  for (const { path, text } of unique.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    const length = Math.min(longestFile, left, text.length);
    if (length < text.length && length < shortestPiece) {
      leftOut.push(path);
      continue;
    }
    left -= length;
    shown.set(
      path,
      length < text.length ? `${text.slice(0, length)}\n${cutNote(path, length, text.length)}` : text,
    );
  }
  const parts = unique.flatMap(({ folder, path }) => {
    const text = shown.get(path);
    return text === undefined
      ? []
      : [`### ${path} (for ${folder === '' ? 'the whole repository' : `${folder}/`})\n\n${text}`];
  });
  if (leftOut.length > 0) parts.push(`[… left out, because there is too much: ${leftOut.join(', ')}]`);
  return parts.join('\n\n');
}

function cutNote(path: string, length: number, whole: number): string {
  return `[… cut: ${String(whole - length)} of ${String(whole)} characters; the whole is in ${path}]`;
}

function rankOf({ folder, path }: RulesPlace): number {
  const names: readonly string[] = folder === '' ? atTop : anywhere;
  const rank = names.findIndex((name) =>
    isAt({ folder, path: folder === '' ? name : `${folder}/${name}` }, path),
  );
  // For people, and long: it gives way to what is for agents.
  return /contributing/i.test(path) ? names.length + atTop.length : rank;
}

export const mostNamed = 20;

/**
 * Files named by `@path` on their own lines, as in Claude Code and Gemini CLI: from its folder, or the top
 * one.
 */
export function namedFiles({ path, text }: Pick<RulesFile, 'path' | 'text'>): readonly (readonly string[])[] {
  const names = [...text.matchAll(/^[ \t]*(?:[-*][ \t]+)?@(?!\/|~)([\w./-]+\.\w+)[ \t]*$/gmu)].map(
    ([, name = '']) => name,
  );
  return [...new Set(names)].map((name) =>
    [inRepository(path, name), inRepository('', name)].filter((one) => one !== undefined),
  );
}

/** A path from a repository's file; undefined outside the repository. */
export function inRepository(from: string, name: string): string | undefined {
  if (name.startsWith('/') || name.includes('\\')) return undefined;
  const parts: string[] = from.split('/').slice(0, -1);
  for (const part of name.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

function ownText(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('\0') || /^@?[\w./-]+$/.test(trimmed) ? '' : trimmed;
}

function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set(['']);
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    for (let length = 1; length <= parts.length; length += 1) folders.add(parts.slice(0, length).join('/'));
  }
  return [...folders].sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1)).slice(0, mostFolders);
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}
