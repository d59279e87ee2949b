import { isBacklogTask, readBacklog } from './backlog.ts';
import { isBd, readBd } from './bd.ts';
import type { ImportedSource, SourceFile } from './imported.ts';
import { readKiro } from './kiro.ts';
import { readMarkdown } from './plainMarkdown.ts';
import { folderOf, nameOf } from './sourceNames.ts';
import { readSpecKit } from './specKit.ts';
import { isTaskMaster, readTaskMaster } from './taskMaster.ts';
import { readTodos } from './todo.ts';

/**
 * Reads the files of a source, each by what it is. `alone`: one file was named, so that any text will do.
 * Lists what isn't understood.
 */
export function readSource(files: readonly SourceFile[], alone: boolean): ImportedSource {
  const parts: ImportedSource[] = [];
  const backlog: SourceFile[] = [];
  const folders = new Map<string, SourceFile[]>();
  for (const file of files) {
    const { path, text } = file;
    if (/\.jsonl$/iu.test(path) && isBd(text)) parts.push(readBd(file));
    else if (/\.json$/iu.test(path)) parts.push(readJson(file, alone));
    else if (/\.md$/iu.test(path) && isBacklogTask(file)) backlog.push(file);
    else if (/\.md$/iu.test(path))
      folders.set(folderOf(path), [...(folders.get(folderOf(path)) ?? []), file]);
    else if (alone) parts.push(readTodos(file));
    else parts.push(unknown(file));
  }
  if (backlog.length > 0) parts.push(readBacklog(backlog));
  for (const [folder, inside] of folders) parts.push(readFolder(folder || '.', inside, alone));
  return mergeSources(parts);
}

/** One source of several. */
export function mergeSources(parts: readonly ImportedSource[]): ImportedSource {
  return {
    tickets: parts.flatMap(({ tickets }) => tickets),
    done: parts.reduce((sum, { done }) => sum + done, 0),
    notUnderstood: parts.flatMap(({ notUnderstood }) => notUnderstood),
  };
}

function readFolder(folder: string, files: readonly SourceFile[], alone: boolean): ImportedSource {
  const has = (name: string): boolean => files.some(({ path }) => nameOf(path) === name);
  const known = (names: readonly string[], read: ImportedSource): ImportedSource => ({
    ...read,
    notUnderstood: [
      ...read.notUnderstood,
      ...files
        .filter(({ path }) => !names.includes(nameOf(path)))
        .map(({ path }) => ({ where: path, text: 'Only linked: this file is no part of the format.' })),
    ],
  });
  // Spec Kit checks its specifications with lists of that name.
  if (nameOf(folder) === 'checklists' && !alone) return mergeSources(files.map(unknown));
  const kiro = ['requirements.md', 'bugfix.md', 'design.md', 'tasks.md'];
  if (has('requirements.md') || has('bugfix.md') || (/(?:^|\/)\.kiro\//u.test(folder) && has('tasks.md')))
    return openOnly(known(kiro, readKiro(folder, files)));
  const isTasks = files.some(
    ({ path, text }) => nameOf(path) === 'tasks.md' && /^[ \t]*[-*] \[[ xX]\] T\d/mu.test(text),
  );
  if (has('spec.md') || isTasks)
    return openOnly(known(['spec.md', 'plan.md', 'tasks.md'], readSpecKit(folder, files)));
  const [file] = files;
  return alone && file ? readMarkdown(file) : mergeSources(files.map(unknown));
}

/** A folder whose tasks are all done is no open work. */
function openOnly({ tickets, done, ...rest }: ImportedSource): ImportedSource {
  const open = tickets.filter(({ tasks }) => tasks.length === 0 || tasks.some((task) => !task.done));
  return { tickets: open, done: done + tickets.length - open.length, ...rest };
}

function readJson(file: SourceFile, alone: boolean): ImportedSource {
  let value: unknown;
  try {
    value = JSON.parse(file.text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'not JSON';
    return { tickets: [], done: 0, notUnderstood: [{ where: file.path, text: reason.slice(0, 200) }] };
  }
  return isTaskMaster(value) || alone ? readTaskMaster(file, value) : unknown(file);
}

function unknown({ path }: SourceFile): ImportedSource {
  return { tickets: [], done: 0, notUnderstood: [{ where: path, text: 'No known format.' }] };
}
