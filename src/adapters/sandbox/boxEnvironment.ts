import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute } from 'node:path';
import { placeVariables, toolchainFolders } from '../system/commandEnvironment.ts';

/**
 * The environment of a box: HOME is the box's own, and a variable that names a place which can't be written
 * to in it is left out, so that tools use their default below that HOME. Toolchains stay where they are, also
 * those that are found by the usual HOME. A folder of PATH that a link leads to is named by its own path,
 * because version managers have such links where a box has nothing.
 */
export function boxEnvironment(
  env: Readonly<Record<string, string>>,
  { home, writable }: { readonly home: string; readonly writable: readonly string[] },
): Record<string, string> {
  const inBox = (path: string): boolean =>
    writable.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const kept = Object.entries(env).filter(
    ([name, value]) => !placeVariables.has(name) || !isAbsolute(value) || inBox(value),
  );
  return { ...Object.fromEntries(kept), ...toolchainFolders(env), ...pathOf(env), HOME: home };
}

function pathOf({ PATH }: Readonly<Record<string, string>>): Record<string, string> {
  return PATH === undefined ? {} : { PATH: PATH.split(delimiter).map(ownPath).join(delimiter) };
}

function ownPath(folder: string): string {
  if (!/^\/(?:run|var|home|root|Users|tmp)\//.test(folder)) return folder;
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
