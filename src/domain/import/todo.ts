import { type ImportedSource, importedOf, type SourceFile } from './imported.ts';

const todo = /(?:\/\/|#|\/\*|^\s*\*|--|;|<!--|%|""").*?\b(TODO|FIXME)\b[\s:(\-]*(.*)$/;

/** The word and the text of a TODO or FIXME. Who it is for, as in `TODO(ada):`, is left out. */
export function todoIn(line: string): { readonly word: string; readonly text: string } | undefined {
  const [, word, rest = ''] = todo.exec(line) ?? [];
  if (word === undefined) return undefined;
  return { word, text: rest.replace(/^\w+\)[\s:-]*/, '').replace(/\s*(?:\*\/|-->|""")\s*$/, '') };
}

/** Each TODO or FIXME of a file is a ticket. */
export function readTodos({ path, text }: SourceFile): ImportedSource {
  const seen = new Map<string, number>();
  const tickets = text.split(/\r?\n/u).flatMap((line, index) => {
    const found = line.length > 2_000 ? undefined : todoIn(line);
    if (!found) return [];
    // Lines move, and texts stay.
    const times = (seen.get(found.text) ?? 0) + 1;
    seen.set(found.text, times);
    const place = `${path}:${String(index + 1)}`;
    const title = found.text === '' ? `${found.word} in ${place}` : found.text;
    const description = `${found.word}: ${place}\n\n${line.trim()}`;
    return [importedOf({ format: 'todo', path, id: `${found.text}#${String(times)}`, title, description })];
  });
  return { tickets, done: 0, notUnderstood: [] };
}
