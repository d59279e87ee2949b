/** A repository's paths at a commit, and the texts of files that name commands. */
export interface RepositoryFiles {
  readonly paths: readonly string[];
  readonly manifests: Readonly<Record<string, string>>;
}

/** True if a file near the top names commands: `package.json`, a makefile, a justfile. */
export function isManifest(path: string): boolean {
  return (
    /(?:^|\/)(?:package\.json|GNUmakefile|[Mm]akefile|[Jj]ustfile)$/.test(path) && path.split('/').length <= 3
  );
}

/** Endings that aren't also words or host names. */
const endings =
  /\.(?:[cm]?[jt]sx?|json[5c]?|md|mdx|py|rb|go|rs|java|kt|kts|swift|c|cc|cpp|h|hpp|cs|php|sh|bash|ps1|ya?ml|toml|ini|cfg|conf|html?|css|s[ac]ss|less|sql|xml|txt|csv|vue|svelte|lua|ex|exs|erl|clj|scala|pl|r|proto|graphql|tf|gradle|lock|env|ext)$/i;
const products =
  /^(?:node|next|vue|nuxt|three|express|d3|react|angular|ember|backbone|alpine|chart|moment|discord|socket\.io|asp|p5|brain|solid|deno)\.js$/i;

/** More than any line of a document has. */
const readLength = 100_000;

/** Files that a text names with a slash or a usual ending; no addresses, versions, globs, products. */
export function filesNamed(text: string): readonly string[] {
  const plain = text.slice(0, readLength).replaceAll(/\b[a-z][a-z+.-]{0,20}:\/\/\S+/gi, ' ');
  const words = Array.from(
    plain.matchAll(/(?<![\w@$%{}*<>~./\\-])(?:\.\/)?[\w@.+-]+(?:\/[\w@.+[\]()-]+)*(?![\w*{}<>\\/])/g),
    ([word]) => word,
  );
  const files = words
    .map((word) => word.replace(/^\.\//, '').replace(/[.,:;)\]]+$/, ''))
    .filter((word) =>
      word.includes('/')
        ? /[^/]\.[A-Za-z][A-Za-z0-9]{0,9}$/.test(word)
        : endings.test(word) && !products.test(word),
    )
    .filter(
      (word) =>
        !/^(?:www\.|@|\d+(?:\.\d+)+)/.test(word) &&
        !word.includes('..') &&
        !/^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev)\//.test(word),
    );
  return [...new Set(files)];
}

/** Files at no such path, and at none that ends with it. */
export function filesMissing(named: readonly string[], { paths }: RepositoryFiles): readonly string[] {
  const known = new Set(
    paths.flatMap((path) => path.split('/').map((_, from, parts) => parts.slice(from).join('/'))),
  );
  return named.filter((file) => !known.has(file));
}
