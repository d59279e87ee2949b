import { isRecord } from '../../../../src/base/json.ts';

/** Keys of records and places in lists. */
export type Path = readonly (string | number)[];

export function pathText(path: Path): string {
  return path.join('.');
}

export function getAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const step of path) {
    if (typeof step === 'number') at = Array.isArray(at) ? at[step] : undefined;
    else at = isRecord(at) ? at[step] : undefined;
  }
  return at;
}

/** Missing places on the way are made. */
export function setAt(value: unknown, path: Path, next: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'number') {
    const list = listOf(value).slice();
    list[step] = setAt(list[step], rest, next);
    return list;
  }
  const record = isRecord(value) ? value : {};
  return { ...record, [step]: setAt(record[step], rest, next) };
}

export function insertAt(value: unknown, path: Path, place: number, item: unknown): unknown {
  return setAt(value, path, listOf(getAt(value, path)).toSpliced(place, 0, item));
}

export function removeAt(value: unknown, path: Path, place: number): unknown {
  return setAt(value, path, listOf(getAt(value, path)).toSpliced(place, 1));
}

/** The value itself where there is no other place. */
export function moveAt(value: unknown, path: Path, from: number, to: number): unknown {
  const list = listOf(getAt(value, path));
  if (from < 0 || to < 0 || from >= list.length || to >= list.length) return value;
  return setAt(value, path, list.toSpliced(from, 1).toSpliced(to, 0, list[from]));
}

export function textAt(value: unknown, path: Path): string {
  const text = getAt(value, path);
  return typeof text === 'string' ? text : text === undefined || text === null ? '' : JSON.stringify(text);
}

export function listAt(value: unknown, path: Path): readonly unknown[] {
  return listOf(getAt(value, path));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
