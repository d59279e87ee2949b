import { z } from 'zod';

/**
 * A path relative to the repository, with forward slashes and no way out: no `..`, no leading slash, drive, backslash, control character,
 * and nothing inside `.git`.
 */
export const RelativePath = z
  .string()
  .min(1)
  .max(1_000)
  .refine(isSafeRelativePath, 'A path must be relative to the repository and stay inside it.');

/** Whether a text may be joined to a folder without leaving it. */
export function isSafeRelativePath(path: string): boolean {
  if (/[\p{Cc}\\]/u.test(path) || path.startsWith('/') || path.startsWith('~') || /^[A-Za-z]:/.test(path)) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}
