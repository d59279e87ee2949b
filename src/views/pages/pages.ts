import { interviewPage } from './interviewPage.ts';
import { definePage, type Page } from './pageKind.ts';

/** Every kind of page, once. */
export function pages(): readonly Page[] {
  return [definePage(interviewPage)];
}
