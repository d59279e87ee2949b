import * as z from 'zod';

/**
 * A path relative to the repository, with forward slashes and no way out: no `..`, no leading slash, drive, backslash, control character,
 * and nothing inside `.git`.
 */
export const RelativePath = z
  .string()
  .refine(isRelativePath, 'A path must be relative to the repository and stay inside it, with 1,000 characters at most.');

/** Whether `RelativePath` accepts a text. */
export function isRelativePath(path: string): boolean {
  return path.length <= longestPath && isSafeRelativePath(path);
}

/** Whether a text may be joined to a folder without leaving it. */
export function isSafeRelativePath(path: string): boolean {
  return !unsafeStart.test(path) && !unsafePart.test(path) && !unsafeCharacter.test(path);
}

const longestPath = 1_000;
const unsafeStart = /^(?:[/~]|[A-Za-z]:)/;
/** `.`, `..`, `.git` in any letter case, or nothing, between two slashes or at an end. */
const unsafePart = /(?:^|\/)(?:\.{0,2}|\.git)(?:\/|$)/i;
const unsafeCharacter = /[\p{Cc}\\]/u;
