import { window } from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { TicketDetail, TicketView } from '../protocol/api.ts';
import type { BoardRow } from './board.ts';
import { callOf, Calls, type NoticeKind } from './calls.ts';
import { noticeOf } from './noticeTexts.ts';
import type { Workbench } from './workbench.ts';

/**
 * How long a window leaves a call to others: the one a person looks at tells it, else the one that drives, else any. Whoever is first claims it, so that it
 * is told once, also over reloads.
 */
const patienceMs = { focused: 0, driver: 1_500, other: 4_000 } as const;

/** Tells, once, that a ticket needs a person or that it ended, with what can be done about it. A gate is told when it is ready for an answer. */
export function notices(workbench: Workbench): Disposable {
  const calls = new Calls();
  return workbench.board.onDidRead(() => {
    if (!workbench.repositories.trusted) return;
    for (const row of workbench.board.rows) {
      if (row.error || !row.repository) continue;
      for (const ticket of calls.look(row.root, row.tickets, Date.now()))
        tell(workbench, row, ticket, calls).catch((error: unknown) => workbench.logError('notice', error));
    }
  });
}

async function tell(workbench: Workbench, row: BoardRow, ticket: TicketView, calls: Calls): Promise<void> {
  const { repository } = row;
  const kind = callOf(ticket);
  const detail = await repository?.client.ticket(ticket.id);
  if (!repository || !detail?.ready || !kind || callOf(detail.view) !== kind) return;
  if (!calls.tell(row.root, ticket) || !workbench.notices.wants(kind)) return;
  await patience(repository.client.repository.mode === 'driver');
  const { ticket: now } = await repository.client.ticket(ticket.id);
  if (now.revision !== detail.ticket.revision || now.hold?.request?.id !== detail.requests[0]?.id) return;
  if (!(await repository.claim(keyOf(kind, detail)))) return;
  const notice = noticeOf(workbench, { repository, ticket: ticket.id }, kind, detail);
  const titles = notice.actions.map(({ title }) => title);
  const answer = notice.warns
    ? await window.showWarningMessage(notice.text, ...titles)
    : await window.showInformationMessage(notice.text, ...titles);
  try {
    await notice.actions.find(({ title }) => title === answer)?.run();
  } catch (error) {
    workbench.logError('notice', error);
    await notice.failed(error);
  }
}

/** The same for all windows, and for this call alone. */
function keyOf(kind: NoticeKind, { ticket, requests: [request] }: TicketDetail): string {
  return JSON.stringify([ticket.id, ticket.revision, kind, request?.id, request?.since]);
}

async function patience(drives: boolean): Promise<void> {
  const ms = window.state.focused ? patienceMs.focused : drives ? patienceMs.driver : patienceMs.other;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
