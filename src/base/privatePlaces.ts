export type Rule = (text: string) => string;

export interface Places {
  readonly home: string;
  readonly user: string;
  /** The first becomes `<repository>`, the next `<repository 2>`. */
  readonly repositories: readonly string[];
}

const impersonal =
  'root admin administrator user runner node vscode codespace coder ubuntu debian home'.split(' ');

/** Rules that shorten paths to `<repository>` and `~` and remove the person's name; longest first. */
export function placesOf({ home, user, repositories }: Places): readonly Rule[] {
  const folders = repositories.map((path, at) => ({
    path,
    name: at === 0 ? '<repository>' : `<repository ${String(at + 1)}>`,
  }));
  const known = [...folders, { path: home, name: '~' }].toSorted((a, b) => b.path.length - a.path.length);
  return [
    ...known.flatMap(({ path, name }) => pathRule(path, name)),
    // Another account's home, or an unknown spelling of this one.
    (text) =>
      text.replace(
        /((?:[\\/]|%2F|%5C)(?:home|Users)(?:[\\/]{1,2}|%2F|%5C))[^\\/\s"'`<>:;,)%]+/gi,
        '$1<user>',
      ),
    ...nameRule(user),
  ];
}

const common = String.raw`(?:usr|bin|sbin|lib|lib64|etc|dev|proc|sys|opt)(?![\w.-])`;
const start = String.raw`(?<![\p{L}\p{N}_:/\\.~>%$})\]-])`;
const name = String.raw`(?:[^\s\\/"'\x60<>|:;,()[\]{}%]|%[\dA-F]{2})+`;
const starts = [
  String.raw`(?:${start}|(?<=file://)/)[a-z](?::|%3A)(?:[\\/]{1,2}|%2F|%5C)${name}(?:(?:[\\/]{1,2}|%2F|%5C)${name})*`,
  // Two names at least: one may be a route, or half of an alternative.
  String.raw`${start}/(?!${common})${name}(?:/${name})+`,
  String.raw`${start}%2F(?!${common})${name}`,
  String.raw`(?<=file://)/(?!${common}|[a-z]%3A)${name}(?:/${name})*`,
  // Shares of Windows' networks.
  String.raw`(?<=file://)${name}(?:/${name})+`,
  String.raw`${start}(?:\\{2}|\\{4})${name}(?:\\{1,2}${name})+`,
];
const tail = String.raw`(?:[\\/]|%2F|%5C)*`;
const quoted = String.raw`(?<=["'])(?:/(?!${common})[^/"'<>\r\n]+/|[a-z]:[\\/]|\\\\)[^"'<>\r\n]+(?=["'])`;
const shortened = String.raw`(?:~|<[\w -]+>)[^\s"'\x60<>]*`;
const anyPath = new RegExp(`(${shortened})|${quoted}|(?:${starts.join('|')})${tail}`, 'giu');

/** Removes other absolute paths. Shortened ones stay. */
export function withoutOtherPaths(text: string): string {
  return text.replace(anyPath, (whole, kept: string | undefined) => (kept === undefined ? '<path>' : whole));
}

function pathRule(path: string, name: string): readonly Rule[] {
  const parts = path.split(/[\\/]+/).filter((part) => part !== '');
  if (parts.length === 0) return [];
  const isWindows = /^[A-Za-z]:/.test(path);
  const slash = String.raw`(?:[\\/]{1,2}|%2F|%5C)`;
  const spelled = parts
    .map(
      (part) => `(?:${[...new Set([part, encodeURIComponent(part.toWellFormed())])].map(escaped).join('|')})`,
    )
    .join(slash);
  const pattern = new RegExp(
    `${isWindows ? '' : '(?:/|%2F)'}${spelled}(?![\\p{L}\\p{N}_-])`,
    isWindows ? 'giu' : 'gu',
  );
  return [(text) => text.replace(pattern, name)];
}

function nameRule(user: string): readonly Rule[] {
  if (user.length < 3 || impersonal.includes(user.toLowerCase())) return [];
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(user)}(?![\\p{L}\\p{N}])`, 'giu');
  return [(text) => text.replace(pattern, '<user>')];
}

export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
