import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { commandId } from '../../../src/views/commands/commands.ts';
import { attempt, type MeasureOptions, type Measurement, median } from '../measurement.ts';
import { BenchEditor, type BenchWindow } from './benchEditor.ts';
import {
  clickedTickets,
  leastClicks,
  measureBeadDiff,
  measureClickToPage,
  measureLateTranscript,
  measureNotificationToPage,
  within,
} from './clicks.ts';
import { watchClicks } from './clickWatch.ts';
import { probeViews } from './probe/probeWords.ts';
import type { ReplayServer } from './streams/replayServer.ts';
import { shownRows, timeToRows } from './windows.ts';

const megabyte = 1_048_576;
const hosts = 3;
const settleMs = 5_000;

/**
 * The waits of a person, in windows on 2,000 tickets, of which one is at its review; the 95th percentiles of
 * at least twenty. Besides the rows of `clicks.ts`, `tree-shown`: from the click on our icon until the last
 * visible row, each in a new window whose extension is awake; `host-memory`: the resident memory that the
 * extension host has more with the extension, after the view, a page and a diff were opened, than without;
 * medians of three.
 */
export async function measureTimes(
  vsix: string,
  server: ReplayServer,
  { samples, say }: Pick<MeasureOptions, 'samples' | 'say'>,
): Promise<readonly Measurement[]> {
  const editor = await BenchEditor.start({
    vsix,
    tickets: { count: clickedTickets, at: 'review' },
    rows: shownRows,
    settings: { 'beadsmith.opencode.url': server.url },
    say,
  });
  try {
    const clicks = { editor, server, say, count: Math.max(leastClicks, samples) };
    const measures = {
      'click-page': measureClickToPage,
      'bead-diff': measureBeadDiff,
      'notification-page': measureNotificationToPage,
      'late-transcript': measureLateTranscript,
    };
    const measured: Measurement[] = [];
    for (const [name, measure] of Object.entries(measures))
      measured.push(
        ...(await attempt(name, () => inWindow(editor, async (window) => [await measure(window, clicks)]))),
      );
    measured.push(...(await attempt('tree-shown', async () => [await measureTree(editor, clicks)])));
    measured.push(...(await attempt('host-memory', async () => [await measureMemory(editor)])));
    return measured;
  } finally {
    await editor.end();
  }
}

async function inWindow<R>(editor: BenchEditor, work: (window: BenchWindow) => Promise<R>): Promise<R> {
  const window = await editor.openWindow(watchClicks);
  try {
    return await work(window);
  } finally {
    await window.end();
  }
}

async function measureTree(
  editor: BenchEditor,
  { count, say }: { readonly count: number; readonly say: (text: string) => void },
): Promise<Measurement> {
  const times: number[] = [];
  for (let at = 0; at < count; at++)
    await inWindow(editor, async ({ workbench: { page }, probe }) => {
      await probe.run(commandId('refresh'));
      await timeToRows(page, probeViews.warmUp, /^Warmup /);
      times.push(await timeToRows(page, 'Beadsmith', /SAMPL-\d/));
    });
  say(`tree: ${times.map((ms) => ms.toFixed(0)).join(' ')} ms`);
  return within('tree-shown', 300, times);
}

async function measureMemory(editor: BenchEditor): Promise<Measurement> {
  const used = async (use: (window: BenchWindow) => Promise<unknown>): Promise<readonly number[]> => {
    const sizes: number[] = [];
    while (sizes.length < hosts)
      await inWindow(editor, async (window) => {
        await timeToRows(window.workbench.page, probeViews.warmUp, /^Warmup /);
        await use(window);
        await pause(settleMs);
        sizes.push(residentBytes(window.probe.pid) / megabyte);
      });
    return sizes;
  };
  const full = await used(async ({ workbench, probe }) => {
    await workbench.showView();
    await probe.run(commandId('openTicket'), { ticket: 'SAMPL-1' });
    await workbench.openedPage();
    await probe.run(commandId('showDiff'), { ticket: 'SAMPL-1', scope: 'ticket' });
    await workbench.page.locator('.multiDiffEntry .view-line').first().waitFor();
  });
  await editor.uninstall();
  const bare = await used(() => Promise.resolve());
  const text = (sizes: readonly number[]): string => sizes.map((size) => size.toFixed(0)).join(', ');
  return {
    name: 'host-memory',
    unit: 'MB',
    bound: { atMost: 150 },
    samples: full.map((size) => size - median(bare)),
    notes: [`with the extension ${text(full)} MB, without ${text(bare)} MB`],
  };
}

function residentBytes(pid: number): number {
  const [, kilobytes] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1_024;
}
