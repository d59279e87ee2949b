import { placeVariables, toolchainFolders } from '../system/commandEnvironment.ts';

/**
 * The environment of a box: HOME is the box's own, and a variable that names a place which can't be written to in it is left out, so that tools use their
 * default below that HOME. Toolchains stay where they are, also those that are found by the usual HOME.
 */
export function boxEnvironment(
  env: Readonly<Record<string, string>>,
  { home, writable }: { readonly home: string; readonly writable: readonly string[] },
): Record<string, string> {
  const inBox = (path: string): boolean => writable.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const kept = Object.entries(env).filter(([name, value]) => !placeVariables.has(name) || inBox(value));
  return { ...Object.fromEntries(kept), ...toolchainFolders(env), HOME: home };
}
