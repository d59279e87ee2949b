import { l10n, window } from 'vscode';
import { withCancel } from '../shared/withCancel.ts';
import type { TicketPlace, Workbench } from '../shared/workbench.ts';

/** Each rehearsal runs servers and commands of its own: one of a ticket is enough. */
const running = new Set<string>();

/** See docs/decisions/152-rehearsals.md. */
export async function rehearseTicket(
  { rehearse, support }: Workbench,
  { repository, ticket }: TicketPlace,
): Promise<void> {
  const { root } = repository;
  const place = `${root}\n${ticket}`;
  if (running.has(place)) {
    void window.showInformationMessage(l10n.t('{0} is already being rehearsed.', ticket));
    return;
  }
  running.add(place);
  try {
    const result = await withCancel(
      l10n.t('Rehearsing {0} with scripted answers…', ticket),
      async (signal, tell) => {
        const ended = await rehearse({ root, ticket, signal, onLine: tell });
        signal.throwIfAborted();
        return ended;
      },
    );
    if (!result) return;
    await support.show('rehearsal.txt', result.isWhole ? withoutProgress(result.text, ticket) : result.text);
    if (!result.isWhole)
      void window.showWarningMessage(
        l10n.t('The rehearsal of {0} didn’t finish. The document shows where it stopped.', ticket),
      );
  } finally {
    running.delete(place);
  }
}

/** The progress, line by line, comes before the first empty line and is left out. */
function withoutProgress(text: string, ticket: string): string {
  const end = text.indexOf('\n\n');
  return end < 0
    ? text
    : `${l10n.t('Rehearsal of {0} on a copy of the repository, with scripted answers', ticket)}${text.slice(end)}`;
}
