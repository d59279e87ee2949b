/**
 * Returns the direct children of a folder, of files named by their paths; undefined when there is no such
 * folder. `folder` is '' for the top.
 */
export function childrenOf(
  files: readonly string[],
  folder: string,
): ReadonlyMap<string, 'file' | 'folder'> | undefined {
  const prefix = folder === '' ? '' : `${folder}/`;
  const below = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
  if (folder !== '' && below.length === 0) return undefined;
  return new Map(below.map((file) => [file.split('/')[0] ?? file, file.includes('/') ? 'folder' : 'file']));
}
