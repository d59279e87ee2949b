import { lstat, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { longestContext } from '../../domain/prompts/contextEntries.ts';
import type { DroppedContext } from '../../engine/ports/workplacePort.ts';

/** A character has at most so many bytes. */
const bytesOfCharacter = 4;
const controlCharacters = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/u;

/**
 * Takes `context.txt` out of a folder (docs/decisions/141-context-inbox.md): the file is renamed by `key`
 * before it is read, so that a step that asks with the same key after a crash gets the same text, and no
 * other step gets it. What can't be used gets its name back.
 */
export async function takeContextFile(folder: string, key: string): Promise<DroppedContext | undefined> {
  const path = join(folder, 'context.txt');
  const id = `file-${sha256(key).slice(0, 12)}`;
  const taken = join(folder, `context.${id}.taken.txt`);
  if (!(await exists(taken))) {
    if (!(await exists(path))) return undefined;
    await rename(path, taken);
  }
  const read = await textOf(taken);
  if ('text' in read) return { id, text: read.text };
  // One that was dropped meanwhile is not replaced; this one stays beside it.
  if (!(await exists(path))) await rename(taken, path);
  return { path, refused: read.refused };
}

async function textOf(path: string): Promise<{ readonly text: string } | { readonly refused: string }> {
  const info = await lstat(path);
  if (!info.isFile()) return { refused: 'it is not a file.' };
  const tooLong = {
    refused: `it has more than ${String(longestContext)} characters. Name a file of the repository instead.`,
  };
  if (info.size > longestContext * bytesOfCharacter) return tooLong;
  const bytes = await readFile(path);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n').trim();
  } catch {
    return { refused: 'it is not UTF-8 text.' };
  }
  if (text === '') return { refused: 'it is empty.' };
  if (text.length > longestContext) return tooLong;
  return controlCharacters.test(text) ? { refused: 'it has control characters.' } : { text };
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
