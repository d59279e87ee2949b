import { commandId } from '../../../src/views/commands/commands.ts';
import type { Measurement } from '../measurement.ts';
import type { BenchWindow } from './benchEditor.ts';
import { pagesClosed, timeOfPage } from './pageWatch.ts';

const pagesPerSample = 3;

/**
 * `page-interactive`: from the command *Open Ticket* until the ticket's page is interactive: it shows the
 * ticket, and a tab that is clicked is chosen. The ticket stands before the approval of its setup, with its
 * runs, documents and beads; such a page was opened before in the window.
 */
export async function measurePages(
  { workbench: { page }, probe }: BenchWindow,
  samples: number,
): Promise<Measurement> {
  const times: number[] = [];
  for (let at = -1; at < samples * pagesPerSample; at++) {
    let startedAt = Number.NaN;
    const open = async (): Promise<void> => {
      ({ startedAt } = await probe.run(commandId('openTicket'), { ticket: 'SAMPL-1' }));
    };
    const readyAt = await timeOfPage(page, open);
    if (at >= 0) times.push(readyAt - startedAt);
    await probe.run('workbench.action.closeAllEditors');
    await pagesClosed(page);
  }
  return { name: 'page-interactive', unit: 'ms', bound: { atMost: 600 }, samples: times };
}
