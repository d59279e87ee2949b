import { type Page } from './pageKind.ts';

/** Every kind of page, once: a row is `definePage(interviewPage)`. */
export function pages(): readonly Page[] {
  return [];
}
