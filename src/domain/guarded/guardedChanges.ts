import { agentFiles } from './catalogue/agents.ts';
import { editorFiles } from './catalogue/editors.ts';
import { installerFiles } from './catalogue/installers.ts';
import { manifests } from './catalogue/manifests.ts';
import { runnerFiles } from './catalogue/runners.ts';
import { serviceFiles } from './catalogue/services.ts';
import { shellFiles } from './catalogue/shells.ts';
import type { GuardedChange, GuardedKind, GuardedText } from './catalogue/guardedChange.ts';
import { folded, type GuardedFile, patternOf } from './catalogue/guardedFile.ts';
import { hidesFiles } from './hiddenFiles.ts';
import { nameProblems } from './impossibleNames.ts';
import { isLockFile, lockSources } from './lockSources.ts';
import { manifestChanges } from './manifestChanges.ts';

/** The rows of the catalogue that a file matches by its name alone; the first one counts. */
export const guardedFiles: readonly GuardedFile[] = [
  ...agentFiles,
  ...editorFiles,
  ...serviceFiles,
  ...installerFiles,
  ...runnerFiles,
  ...shellFiles,
];

const compiled = <T extends GuardedFile>(rows: readonly T[]) =>
  rows.map((row) => ({ row, pattern: patternOf(row.files) }));
const byName = compiled(guardedFiles);
const byParts = compiled(manifests);

/** A plan that names a manifest means its contents, and none of these. */
const neverPlanned: readonly GuardedKind[] = ['install_script', 'script_hook', 'source'];

/**
 * The changes that something other than the project loads: a runner, an installer, an editor, git, a service
 * or an agent (docs/decisions/165-guarded-by-default.md). Files that the approved plan names (`planned`) were
 * agreed to. `tree`: every path that the commit has.
 */
export function guardedChanges(
  files: readonly GuardedText[],
  planned: readonly string[],
  tree: readonly string[] = [],
): readonly GuardedChange[] {
  const agreed = new Set(planned);
  const names = nameProblems(files, tree);
  return files.flatMap((file) => {
    const { path } = file;
    const named = names.get(path);
    const problem: Found[] = named === undefined ? [] : [{ kind: 'name', line: null, text: named }];
    const found = [...problem, ...inFile(file, tree)].filter(
      ({ kind }) => !agreed.has(path) || neverPlanned.includes(kind),
    );
    return found.map((one) => ({ ...one, path }));
  });
}

/** Says what loads a file, by its name alone; undefined if nothing of the catalogue does. */
export function loadedBy(path: string): GuardedKind | undefined {
  const name = folded(path);
  return byName.find(({ pattern }) => pattern.test(name))?.row.kind;
}

type Found = Pick<GuardedChange, 'kind' | 'text' | 'line'>;

function inFile(file: GuardedText, tree: readonly string[]): readonly Found[] {
  const path = folded(file.path);
  const name = path.split('/').at(-1) ?? '';
  if (name === '.gitignore' && file.isGone !== true) {
    const hidden = hidesFiles(file, tree);
    return hidden ? [{ kind: 'git', line: hidden.line, text: `hides ${hidden.text.slice(0, 80)}` }] : [];
  }
  if (isLockFile(name)) return lockSources(name, file);
  const manifest = byParts.find(({ pattern }) => pattern.test(path));
  if (manifest) return manifestChanges(manifest.row, file);
  const loaded = byName.find(({ pattern }) => pattern.test(path));
  if (!loaded) return [];
  const { kind, tool } = loaded.row;
  return [{ kind, line: null, text: file.isGone === true ? `${tool}, deleted` : tool }];
}
