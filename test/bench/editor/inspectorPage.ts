import type { Frame } from 'playwright-core';
import { commandId } from '../../../src/views/commands/commands.ts';
import type { Measurement } from '../measurement.ts';
import type { BenchWindow } from './benchEditor.ts';
import { pagesClosed, timeOfPage } from './pageWatch.ts';

/** With as many calls as a long ticket leaves. */
export const inspectedTicket = 'SAMPL-20';
export const inspectedCalls = 2_000;

/** As much of a browser's page as is used. */
interface Page {
  readonly document: { querySelector(selector: string): { click(): void } | null };
  requestAnimationFrame(look: () => void): void;
}

/**
 * `inspector-interactive`: from the click on one of 2,000 calls until its table stands with its buttons, by
 * the page's own clock.
 */
export async function measureInspectorPage(
  { workbench, probe }: BenchWindow,
  samples: number,
): Promise<Measurement> {
  await timeOfPage(workbench.page, () => probe.run(commandId('openTicket'), { ticket: inspectedTicket }));
  const frame = await workbench.openedPage();
  // The page's watch may have opened it.
  const details = frame.getByRole('button', { name: 'Details', exact: true });
  if ((await details.getAttribute('aria-expanded')) !== 'true') await details.click();
  await frame.getByRole('tab', { name: 'Model Calls', exact: true }).click();
  const times: number[] = [];
  for (let at = -1; at < samples; at++) {
    await frame.locator('button.call').first().waitFor();
    const ms = await timeToParts(frame);
    if (at >= 0) times.push(ms);
    await frame.getByRole('button', { name: 'All Calls' }).click();
  }
  await probe.run('workbench.action.closeAllEditors');
  await pagesClosed(workbench.page);
  return { name: 'inspector-interactive', unit: 'ms', bound: { atMost: 600 }, samples: times };
}

function timeToParts(frame: Frame): Promise<number> {
  return frame.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const page = globalThis as unknown as Page;
        const start = performance.now();
        const look = (): void => {
          if (page.document.querySelector('[role=region] table')) resolve(performance.now() - start);
          else page.requestAnimationFrame(look);
        };
        page.document.querySelector('button.call')?.click();
        page.requestAnimationFrame(look);
      }),
  );
}

const pagesPerSample = 3;

/**
 * `page-interactive`: from *Open Ticket* until the page shows the ticket and a clicked part is open, before
 * the approval of the setup; such a page was opened before in the window.
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
