import { classifyChange } from '../../../domain/core/noise.ts';
import type { RelevantFile } from '../../../domain/documents/relevantFiles.ts';

const mostWords = 40;
const mostFiles = 15;
/**
 * So much of a text is read. No name is longer than a run of this length, whose parts would be tried one by
 * one.
 */
const readLength = 40_000;
const longRun = /[\w@./-]{121,}/g;

/** The names in a person's text: paths or file names, and names as code has them. */
export interface Named {
  readonly paths: readonly string[];
  readonly words: readonly string[];
}

/**
 * Names in plain words, such as `src/cart.ts`, `cart.ts`, `applyCode`, `max_items`, and what stands in
 * backticks. Ordinary words are none.
 */
export function namesIn(text: string): Named {
  const read = text.slice(0, readLength).replace(longRun, ' ');
  const quoted = Array.from(read.matchAll(/`([^`\n]{2,120})`/g), ([, name = '']) => name);
  const bare =
    read.match(
      /[\w@.-]+(?:\/[\w@.-]+)+|\b\w[\w.-]+\.[A-Za-z]\w{0,7}\b|\b[A-Za-z]\w*_\w+\b|\b[a-z]+[A-Z]\w*\b|\b(?:[A-Z][a-z0-9]+){2,}\b/g,
    ) ?? [];
  const all = [...new Set([...quoted, ...bare].map((name) => name.replace(/^\.\/|[().,;:]+$/g, '')))].filter(
    (name) => name.length > 2,
  );
  const isPath = (name: string): boolean => /^[\w@./-]+$/.test(name) && /[/.]/.test(name);
  return {
    paths: all.filter(isPath).slice(0, mostWords),
    words: all.filter((name) => /^\w+$/.test(name)).slice(0, mostWords),
  };
}

/** Those of the repository's files that a name stands for: the whole path, or its end. */
export function filesNamed(tracked: readonly string[], { paths }: Named): readonly string[] {
  return tracked.filter((file) => paths.some((name) => file === name || file.endsWith(`/${name}`)));
}

/**
 * The list without a model: what the ticket names or what has a word of it in its path, then manifests and
 * pages at the top. `naming`: files that name what the ticket names.
 */
export function filesByName(
  tracked: readonly string[],
  ticket: string,
  naming: readonly string[],
): readonly RelevantFile[] {
  const sources = tracked.filter(isSource);
  const words = [
    ...new Set(
      ticket
        .slice(0, readLength)
        .toLowerCase()
        .match(/[\p{L}\d]{4,}/gu) ?? [],
    ),
  ];
  const named = new Set([...filesNamed(sources, namesIn(ticket)), ...naming]);
  const score = (path: string): number => {
    const inPath = words.filter((word) => path.toLowerCase().includes(word)).length;
    return (named.has(path) ? 10 : 0) + 2 * inPath + (atTop.test(path) ? 1 : 0);
  };
  const ranked = sources
    .map((path) => ({ path, score: score(path) }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
  return ranked.slice(0, mostFiles).map(({ path, score: points }) => ({
    path,
    rationale: 'Chosen by its name, because the scan listed no file that exists.',
    relevance: points >= 2 ? 'medium' : 'low',
    likely_action: 'read',
    content_preview: '',
  }));
}

const atTop =
  /^(?:readme[^/]*|makefile|package\.json|pyproject\.toml|setup\.py|cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.csproj|composer\.json|gemfile)$/i;
const noText =
  /\.(?:png|jpe?g|gif|ico|svg|webp|woff2?|ttf|pdf|zip|gz|jar|lock|min\.js|map|snap)$|(?:^|\/)package-lock\.json$|(?:^|\/)\.git/i;

function isSource(path: string): boolean {
  return !noText.test(path) && classifyChange({ path, state: 'untracked' }) === 'committable';
}
