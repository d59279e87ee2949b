import { mostMegabytes } from '../../../.build/packed.mjs';
import { tempFolder } from '../../support/tempFolder.ts';
import { BenchEditor, type BenchWindow } from '../editor/benchEditor.ts';
import { measureTimes } from '../editor/editorTimes.ts';
import { measureEventLoad, measureHeapGrowth, measureIdleTimers } from '../editor/eventLoad.ts';
import { measureInspectorPage, measurePages } from '../editor/inspectorPage.ts';
import { packExtension } from '../editor/packed.ts';
import { ReplayServer } from '../editor/streams/replayServer.ts';
import { measureWindows, shownRows } from '../editor/windows.ts';
import { attempt, type Measure, type Measurement } from '../measurement.ts';

const megabyte = 1_048_576;

/**
 * The packed extension in a real VS Code and browser, with 10,000 tickets. `bundle-size`, `vsix-size`: what
 * an extension host may load, and the package; what is loaded apart doesn't count: the language client and,
 * with a driven ticket, the driver (`driver-size`) and its libraries. Five samples need at most 15 minutes.
 */
export const measureEditor: Measure = async ({ samples, say }) => {
  const folder = tempFolder('bench');
  const ends: (() => void | Promise<void>)[] = [() => folder.remove()];
  try {
    say('the extension is packed …');
    const { vsix, vsixBytes, bundleBytes, driverBytes } = await packExtension(folder.path);
    const server = await ReplayServer.start();
    ends.push(() => server.end());
    const settings = { 'beadsmith.opencode.url': server.url };
    const editor = await BenchEditor.start({ vsix, rows: shownRows, settings, say });
    ends.push(() => editor.end());
    const inWindow = async (
      measures: Readonly<Record<string, (window: BenchWindow) => Promise<Measurement>>>,
    ): Promise<readonly Measurement[]> =>
      attempt('window', async () => {
        const window = await editor.openWindow();
        try {
          const measured: Measurement[] = [];
          for (const [name, measure] of Object.entries(measures))
            measured.push(...(await attempt(name, async () => [await measure(window)])));
          return measured;
        } finally {
          await window.end();
        }
      });
    return [
      { name: 'bundle-size', unit: 'MB', bound: { atMost: 1 }, samples: [bundleBytes / megabyte] },
      { name: 'driver-size', unit: 'MB', bound: { atMost: 0.75 }, samples: [driverBytes / megabyte] },
      {
        name: 'vsix-size',
        unit: 'MB',
        bound: { atMost: mostMegabytes.extension },
        samples: [vsixBytes / megabyte],
      },
      ...(await attempt('windows', () => measureWindows(editor, samples, say))),
      ...(await inWindow({ 'page-interactive': (window) => measurePages(window, samples) })),
      ...(await inWindow({ 'inspector-interactive': (window) => measureInspectorPage(window, samples) })),
      ...(await inWindow({ 'idle-timers': measureIdleTimers })),
      ...(await inWindow({
        'event-loop-p99': (window) => measureEventLoad(window, { editor, server, samples, say }),
        'heap-growth': (window) => measureHeapGrowth(window, { server, say }),
      })),
      ...(await attempt('times', () => measureTimes(vsix, server, { samples, say }))),
    ];
  } finally {
    for (const end of ends.reverse()) await end();
  }
};
