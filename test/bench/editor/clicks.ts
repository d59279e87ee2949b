import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TicketEvent } from '../../../src/domain/core/events.ts';
import { until } from '../../support/until.ts';
import type { Measurement } from '../measurement.ts';
import type { BenchEditor, BenchWindow } from './benchEditor.ts';
import { clickToDiff, clickToPage, pageComplete } from './clickWatch.ts';
import { pagesClosed } from './pageWatch.ts';
import type { ReplayServer } from './streams/replayServer.ts';

export const clickedTickets = 2_000;
/** A 95th percentile of fewer is the worst one. */
export const leastClicks = 20;
const pieces = 5_000;
const reviewed = /SAMPL-1(?!\d)/;
const working = /SAMPL-2(?!\d)/;

interface Clicks {
  readonly editor: BenchEditor;
  readonly server: ReplayServer;
  readonly count: number;
  readonly say: (text: string) => void;
}

/** Of times that the 95th percentile is bounded of. */
export function within(name: string, atMost: number, samples: readonly number[]): Measurement {
  return { name, unit: 'ms', bound: { atMost }, samples, quantile: 0.95 };
}

/** `click-page`: from the click on a ticket at its review until its page is complete. */
export async function measureClickToPage(window: BenchWindow, { count, say }: Clicks): Promise<Measurement> {
  const { workbench } = window;
  await workbench.showView();
  const row = workbench.row(reviewed).first();
  await row.waitFor();
  const times = await repeat('page', count, say, async () => {
    const ms = await clickToPage(workbench.page, () => row.click());
    const frame = await workbench.openedPage();
    await frame.getByRole('heading', { name: /^Beads: \d/ }).waitFor();
    await closed(window);
    return ms;
  });
  return within('click-page', 500, times);
}

/** `bead-diff`: from the click on a bead's button on that page until its files are drawn. */
export async function measureBeadDiff(window: BenchWindow, { count, say }: Clicks): Promise<Measurement> {
  const { workbench, probe } = window;
  await workbench.showView();
  await pageComplete(workbench.page, () => workbench.row(reviewed).first().click());
  const times = await repeat('diff', count, say, async () => {
    const frame = await workbench.openedPage();
    const button = '#parts-review button:has(.codicon-diff), #parts-review [aria-label^="Show changes of"]';
    const ms = await clickToDiff(workbench.page, frame, button);
    // Its content isn't kept while it is hidden.
    await pageComplete(workbench.page, () => probe.run('workbench.action.closeActiveEditor'));
    return ms;
  });
  await closed(window);
  return within('bead-diff', 700, times);
}

/** `notification-page`: from the click on a notification's *Open Ticket* until the page is complete. */
export async function measureNotificationToPage(
  window: BenchWindow,
  { editor, count, say }: Clicks,
): Promise<Measurement> {
  const { workbench } = window;
  await workbench.showView();
  const times = await repeat('notification', count, say, async () => {
    await editor.cli('pause', 'SAMPL-1');
    await workbench.row(reviewed).filter({ hasText: 'Paused' }).waitFor();
    // It was told before, and is told once.
    rmSync(join(editor.stateFolder, 'notices'), { recursive: true, force: true });
    await editor.cli('resume', 'SAMPL-1');
    await workbench.showNotification('needs your input');
    const button = workbench
      .notification('needs your input')
      .locator('.monaco-button', { hasText: 'Open Ticket' });
    const ms = await clickToPage(workbench.page, () => button.first().click());
    await closed(window);
    await workbench.hideNotifications();
    return ms;
  });
  return within('notification-page', 700, times);
}

/**
 * `late-transcript`: from the click on a ticket that works, whose agent has said 5,000 pieces, until its page
 * is complete, with the newest page of the transcript.
 */
export async function measureLateTranscript(
  window: BenchWindow,
  { editor, server, count, say }: Clicks,
): Promise<Measurement> {
  const { workbench } = window;
  await workbench.showView();
  await editor.cli('start', 'SAMPL-2', '--model', 'scripted/alpha', '--depth', 'solo', '--no-wait');
  await until(() => server.working > 0, 'a session works', 120_000);
  const log = join(editor.stateFolder, 'logs', 'SAMPL-2.jsonl');
  appendFileSync(log, Array.from({ length: pieces }, (_, at) => `${JSON.stringify(piece(at))}\n`).join(''));
  const row = workbench.row(working).first();
  await row.waitFor();
  const times = await repeat('transcript', count, say, async () => {
    const ms = await clickToPage(workbench.page, () => row.click());
    const transcript = (await workbench.openedPage()).getByRole('log', { name: 'Transcript' });
    await transcript
      .getByText(`file${String(pieces - 1)}.ts`)
      .first()
      .waitFor();
    await closed(window);
    return ms;
  });
  return within('late-transcript', 700, times);
}

/** A fifth are tool calls. */
function piece(at: number): TicketEvent {
  const event = { type: 'activity', ticket: 'SAMPL-2', at: Date.now(), source: 'scripted/alpha' } as const;
  const path = `src/file${String(at)}.ts`;
  const output = 'A line that the command printed.\n'.repeat(12);
  if (at % 5 === 4)
    return {
      ...event,
      kind: 'tool',
      text: path,
      part: `call ${String(at)}`,
      call: { tool: 'edit', state: 'done', path, output, added: 3, deleted: 1 },
    };
  const text = `In part ${String(at)} the sum is read again, so that what is printed is what was stored. `;
  const part = `text ${String(at - (at % 5))}`;
  return { ...event, kind: 'text', text, part, offset: (at % 5) * text.length };
}

async function closed({ workbench, probe }: BenchWindow): Promise<void> {
  await probe.run('workbench.action.closeAllEditors');
  await pagesClosed(workbench.page);
}

/** The first one warms up. */
async function repeat(
  name: string,
  count: number,
  say: (text: string) => void,
  time: () => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let at = -1; at < count; at++) {
    const ms = await time();
    if (at >= 0) times.push(ms);
  }
  say(`${name}: ${times.map((ms) => ms.toFixed(0)).join(' ')} ms`);
  return times;
}
