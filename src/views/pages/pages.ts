import { approvalPage } from './approvalPage.ts';
import { interviewPage } from './interviewPage.ts';
import { definePage, type Page } from './pageKind.ts';
import { ticketPage } from './ticketPage.ts';

export function pages(): readonly Page[] {
  return [definePage(interviewPage), definePage(approvalPage), definePage(ticketPage)];
}
