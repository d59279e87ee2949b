/** The paths a unified diff speaks of, as git writes it: where a file is now, or was if it is gone. */
export function pathsOf(diff: string): readonly string[] {
  const paths = new Set<string>();
  for (const [, line = ''] of diff.matchAll(/^(?:\+\+\+ |--- |rename to |Binary files )(.*)$/gm)) {
    const path = pathOf(line);
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

function pathOf(line: string): string | undefined {
  const binary = / and (.+) differ$/.exec(line)?.[1];
  const name = (binary ?? line).replace(/\t.*$/, '');
  // git quotes names with unusual characters; those aren't decorated.
  if (name === '/dev/null' || name.startsWith('"')) return undefined;
  return name.replace(/^[abciow]\//, '');
}

/** Returns the beads that touched each file. `diffs`: the diff of each bead, in the order of the plan. */
export function touchedFiles(
  diffs: readonly { readonly bead: string; readonly diff: string }[],
): ReadonlyMap<string, readonly string[]> {
  const touched = new Map<string, readonly string[]>();
  for (const { bead, diff } of diffs)
    for (const path of pathsOf(diff)) touched.set(path, [...(touched.get(path) ?? []), bead]);
  return touched;
}
