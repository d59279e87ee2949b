import { window } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { documentsAt, type TicketDetail } from '../../protocol/api.ts';
import { repositoryKey } from '../../protocol/documents.ts';
import { likelyCommand } from '../commands/offered.ts';
import { placeOf } from '../documents/documentUri.ts';
import { noticeOf } from './noticeTexts.ts';
import { notifyAttention } from './notifyAttention.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

/** Time that a window leaves a notification to other windows, in milliseconds. */
const patienceMs = { focused: 0, driver: 1_500, other: 4_000 } as const;

/** Shows what calls for a person, each kind unless it is muted, with what can be done about it. */
export function notices(workbench: Workbench): Disposable {
  const failed = (error: unknown): void => workbench.logError('notice', error);
  return notifyAttention(workbench.board, workbench.repositories, {
    wants: (kind) => workbench.notices.wants(kind),
    turn: patience,
    sees: (place, detail) => window.state.focused && isInFront(workbench, place, detail),
    failed,
    tell: async (place, kind, detail) => {
      const { text, warns, actions, explain } = noticeOf(workbench, place, kind, detail);
      const titles = actions.map(({ title }) => title);
      const answer = await (warns
        ? window.showWarningMessage(text, ...titles)
        : window.showInformationMessage(text, ...titles));
      try {
        await actions.find(({ title }) => title === answer)?.run();
      } catch (error) {
        await explain(error);
      }
    },
  });
}

/** A page on which the ticket's gate or request can be answered, or the document that its gate is about. */
function isInFront(workbench: Workbench, place: TicketPlace, { view, gate }: TicketDetail): boolean {
  const command = likelyCommand(view);
  const page = command === 'openInterview' ? 'interview' : command === 'approve' ? 'approval' : 'ticket';
  if (workbench.showsPage(page, place) || workbench.showsPage('ticket', place)) return true;
  const document = window.activeTextEditor && placeOf(window.activeTextEditor.document.uri);
  if (!document || !gate) return false;
  return (
    document.ticket === place.ticket &&
    documentsAt(gate).some(({ artifact }) => artifact === document.type) &&
    document.repository === repositoryKey(place.repository.root)
  );
}

async function patience(drives: boolean): Promise<void> {
  const ms = window.state.focused ? patienceMs.focused : drives ? patienceMs.driver : patienceMs.other;
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
