import { join } from 'node:path';
import { demoScript } from '../../../src/demo/sample/sample.ts';
import { ScriptedModel } from '../../support/models/scriptedModel.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import type { Measure } from '../measurement.ts';
import { BareServer } from '../ticket/bareServer.ts';
import { driveTicket } from '../ticket/driveTicket.ts';
import { sameTree, sceneOf, treeOf } from '../ticket/sampleScene.ts';

/**
 * The sample ticket with the sandbox ÷ without it, with a scripted model: 300 ms to the first token, then 100
 * tokens a second. Sides alternate, ask the model as often, and end with the same tree.
 */
export const measureSandbox: Measure = async ({ samples, say }) => {
  const folder = tempFolder('bench');
  const model = await ScriptedModel.start(folder.path, demoScript, { latencyMs: 300, rate: 100 });
  const ratios: number[] = [];
  const notes: string[] = [];
  try {
    // Only the very first start of OpenCode reads 180 MB from the disk.
    await (await BareServer.start(join(folder.path, 'first'), model.url)).stop();
    const drive = async (sandbox: 'off' | 'require', pair: number) => {
      const before = model.requests().length;
      const { repository } = await sceneOf(join(folder.path, `${sandbox}-${String(pair)}`));
      const { wallMs, id } = await driveTicket(repository, model.url, sandbox);
      return { wallMs, tree: treeOf(repository, id), requests: model.requests().length - before };
    };
    for (let pair = 1; pair <= samples; pair++) {
      const first = await drive(pair % 2 === 0 ? 'off' : 'require', pair);
      const second = await drive(pair % 2 === 0 ? 'require' : 'off', pair);
      const [sandboxed, plain] = pair % 2 === 0 ? [second, first] : [first, second];
      sameTree(sandboxed.tree, plain.tree);
      if (sandboxed.requests !== plain.requests)
        throw new Error(
          `${String(sandboxed.requests)} model requests in the sandbox, ${String(plain.requests)} outside`,
        );
      ratios.push(sandboxed.wallMs / plain.wallMs);
      notes.push(
        `in the sandbox ${seconds(sandboxed.wallMs)}, outside ${seconds(plain.wallMs)}, ${String(sandboxed.requests)} model requests each`,
      );
      say(`pair ${String(pair)}: ${notes.at(-1) ?? ''}`);
    }
  } finally {
    await model.end();
    folder.remove();
  }
  return [{ name: 'sandbox', unit: 'x', bound: { atMost: 1.05 }, samples: ratios, notes }];
};

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
