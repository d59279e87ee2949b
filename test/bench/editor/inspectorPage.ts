import type { Frame } from 'playwright-core';
import { commandId } from '../../../src/views/commands/commands.ts';
import type { Measurement } from '../measurement.ts';
import type { BenchWindow } from './benchEditor.ts';
import { pagesClosed, timeOfPage } from './pageWatch.ts';

/** A draft with as many calls as a long ticket leaves. */
export const inspectedTicket = 'SAMPL-20';
export const inspectedCalls = 2_000;

/** As much of a browser's page as is used here: tests have no types of one. */
interface Page {
  readonly document: { querySelector(selector: string): { click(): void } | null };
  requestAnimationFrame(look: () => void): void;
}

/**
 * `inspector-interactive`: on the page of a ticket with 2,000 calls of models, from the click on a call until
 * the table of its parts stands, with the buttons that open and compare the prompt, by the page's own clock.
 */
export async function measureInspectorPage(
  { workbench, probe }: BenchWindow,
  samples: number,
): Promise<Measurement> {
  await timeOfPage(workbench.page, () => probe.run(commandId('openTicket'), { ticket: inspectedTicket }));
  const frame = await workbench.openedPage('ticket');
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
