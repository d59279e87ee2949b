const folders = ['.github/', '', 'docs/'];
const file = /^pull_request_template\.(?:md|txt)$/;
const inFolder = /^pull_request_template\/[^/]+\.(?:md|txt)$/;

/** The path of a pull-request template, in any letter case; of a folder of templates the first by name. */
export function templatePath(paths: readonly string[]): string | undefined {
  const below = (folder: string, pattern: RegExp): string | undefined =>
    paths
      .filter(
        (path) =>
          path.toLowerCase().startsWith(folder) && pattern.test(path.slice(folder.length).toLowerCase()),
      )
      .toSorted()
      .at(0);
  for (const pattern of [file, inFolder]) {
    const found = folders.map((folder) => below(folder, pattern)).find((path) => path !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}
