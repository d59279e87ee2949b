/** A place of rules for people and agents; `folder` is what they apply to, '' for all of it. */
export interface RulesPlace {
  readonly folder: string;
  readonly path: string;
}

/** A rules file that was read. */
export interface RulesFile extends RulesPlace {
  readonly text: string;
}

/**
 * By rank: what is cut first when there is too much comes last. A name that ends with a slash is a folder, of
 * which every file counts. Each is where its tool's own documentation says that rules are kept
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

/** The most characters of one rules file, and of all of them (docs/decisions/101-repository-rules.md). */
const longestFile = 8_000;
const longestRules = 24_000;
/** A piece that is shorter says nothing. */
const shortestPiece = 200;
const mostFolders = 60;

/** Returns the places of rules for these files: their folders and all above, the top one first. */
export function rulesPlaces(files: readonly string[]): readonly RulesPlace[] {
  return foldersOf(files).flatMap((folder) =>
    (folder === '' ? atTop : anywhere).map((name) => ({
      folder,
      path: folder === '' ? name : `${folder}/${name}`,
    })),
  );
}

/** Returns true if this path is a place of rules for its own folder. */
export function isRulesFile(path: string): boolean {
  return rulesPlaces([path]).some((place) => isAt(place, path));
}

/** Returns true if a file of the repository belongs to a place. */
export function isAt({ path: place }: RulesPlace, path: string): boolean {
  return place.endsWith('/') ? path.startsWith(place) && /\.(?:mdc?|txt)$/.test(path) : path === place;
}

/**
 * The rules as a prompt shows them, the top folder's first. What is too long is cut, by file and in all; what
 * people wrote for people gives way to what was written for agents, whatever its folder. Each cut is said. A
 * file that only points to another one, or repeats it, is left out.
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
  // CONTRIBUTING is written for people, and is long: it gives way in any folder before what is written for
  // agents.
  return /contributing/i.test(path) ? names.length + atTop.length : rank;
}

/** The most files that are read because others name them. */
export const mostNamed = 20;

/**
 * The files of the repository that a rules file names by `@path` on lines of their own, as Claude Code and
 * Gemini CLI include them: by its folder, or by the top one.
 */
export function namedFiles({ path, text }: Pick<RulesFile, 'path' | 'text'>): readonly (readonly string[])[] {
  const names = [...text.matchAll(/^[ \t]*(?:[-*][ \t]+)?@(?!\/|~)([\w./-]+\.\w+)[ \t]*$/gmu)].map(
    ([, name = '']) => name,
  );
  return [...new Set(names)].map((name) =>
    [inRepository(path, name), inRepository('', name)].filter((one) => one !== undefined),
  );
}

/** The path that a path in a file of the repository leads to; undefined if out of the repository. */
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

/** A link, a file that only includes one, and one that isn't text say nothing of their own. */
function ownText(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('\0') || /^@?[\w./-]+$/.test(trimmed) ? '' : trimmed;
}

/** The folders of files and all above them, the top one first. */
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
