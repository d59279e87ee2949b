import { approvalPage } from './approvalPage.ts';
import { interviewPage } from './interviewPage.ts';
import { definePage, type Page } from './pageKind.ts';
import { ticketPage } from './ticketPage.ts';

/** Every kind of page, once. */
export function pages(): readonly Page[] {
  return [definePage(interviewPage), definePage(approvalPage), definePage(ticketPage)];
}
