import { join } from 'node:path';
import { demoScript } from '../../../src/demo/sample/sample.ts';
import type { RequestRecord } from '../../../src/demo/scriptedServer.ts';
import { ScriptedModel } from '../../support/models/scriptedModel.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import type { Measure } from '../measurement.ts';
import { runBareTicket } from '../ticket/bareTicket.ts';
import { BareServer } from '../ticket/bareServer.ts';
import { driveTicket } from '../ticket/driveTicket.ts';
import { type PortCall, timeIn } from '../ticket/portMeter.ts';
import { recordingOf } from '../ticket/recording.ts';
import { sameTree, sceneOf, treeOf } from '../ticket/sampleScene.ts';

/** A pair takes minutes; none is started after this time. */
const patienceMs = 600_000;

/**
 * The sample ticket from DRAFT to COMPLETED ÷ the same work bare: the same prompts, sessions, agents and test
 * commands, and only the git commands that do the work. A scripted model takes 300 ms to the first token,
 * then gives 100 a second. OpenCode's start and end count. Both sides ask the same and end with the same
 * tree.
 */
export const measureDemo: Measure = async ({ samples, say }) => {
  const folder = tempFolder('bench');
  const model = await ScriptedModel.start(folder.path, demoScript, { latencyMs: 300, rate: 100 });
  const ratios: number[] = [];
  const notes: string[] = [];
  const started = performance.now();
  try {
    // Only the very first start of OpenCode reads 180 MB from the disk.
    await (await BareServer.start(join(folder.path, 'first'), model.url)).stop();
    for (let pair = 1; pair <= samples && (pair === 1 || performance.now() - started < patienceMs); pair++) {
      const driven = await sceneOf(join(folder.path, `side-a-${String(pair)}`));
      const before = model.requests().length;
      const { wallMs, ownMs, calls, id } = await driveTicket(driven.repository, model.url);
      const between = model.requests().length;
      say(`pair ${String(pair)}: driven ${seconds(wallMs)}, ${String(between - before)} model requests`);
      const bare = await sceneOf(join(folder.path, `side-b-${String(pair)}`));
      const { wallMs: bareMs, calls: bareCalls } = await runBareTicket(
        { ...bare, drivenFolder: driven.folder, modelUrl: model.url },
        recordingOf(calls),
      );
      const requests = model.requests();
      sameRequests(requests.slice(before, between), requests.slice(between));
      sameTree(treeOf(driven.repository, id), treeOf(bare.repository, id));
      ratios.push(wallMs / bareMs);
      const counts = `${String(between - before)} and ${String(requests.length - between)} model requests`;
      notes.push(
        `driven ${seconds(wallMs)} (${partsOf(calls)}, our own ${seconds(ownMs)}), bare ${seconds(bareMs)} (${partsOf(bareCalls)}); ${counts}`,
      );
      say(`pair ${String(pair)}: ${notes.at(-1) ?? ''}`);
    }
  } finally {
    await model.end();
    folder.remove();
  }
  if (ratios.length < samples)
    notes.push(
      `${String(ratios.length)} of ${String(samples)} pairs, because more would take over ten minutes`,
    );
  return [{ name: 'demo', unit: 'x', bound: { atMost: 1.25 }, samples: ratios, notes }];
};

/** Members of a council may ask in any order. */
function sameRequests(driven: readonly RequestRecord[], bare: readonly RequestRecord[]): void {
  const asked = (records: readonly RequestRecord[]): readonly string[] =>
    records
      .map(({ model, task, repair, continuation, bead, iteration, step, reply }) =>
        JSON.stringify([task, model, repair, continuation, bead, iteration, step, reply]),
      )
      .toSorted();
  const [ours, theirs] = [asked(driven), asked(bare)];
  const odd = [
    ...ours.filter((one) => !theirs.includes(one)),
    ...theirs.filter((one) => !ours.includes(one)),
  ];
  if (ours.length === theirs.length && odd.length === 0) return;
  const counts = `${String(ours.length)} model requests and ${String(theirs.length)}`;
  throw new Error(
    `The two sides did not do the same and can't be compared: ${counts}; only one had ${odd.slice(0, 5).join(' ')}`,
  );
}

function partsOf(calls: readonly PortCall[]): string {
  return `OpenCode ${seconds(timeIn(calls, 'agent'))}, git ${seconds(timeIn(calls, 'git'))}, commands ${seconds(timeIn(calls, 'process'))}`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
