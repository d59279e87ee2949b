import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { machineFactor } from '../../../.build/processorTime.mjs';
import { demoScript } from '../../../src/demo/sample/sample.ts';
import { writeSampleRepository } from '../../../src/demo/writeSampleRepository.ts';
import { ScriptedModel } from '../../support/models/scriptedModel.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import type { Measure } from '../measurement.ts';
import { driveTicket } from '../ticket/driveTicket.ts';
import { timeIn } from '../ticket/portMeter.ts';

/**
 * The sample ticket with a model that answers at once: the time in which no call of OpenCode, git or a
 * command was outstanding ÷ the number of prompts, in milliseconds of the reference machine.
 */
export const measureOwnTime: Measure = async ({ samples, say }) => {
  const found: number[] = [];
  const notes: string[] = [];
  for (let sample = 1; sample <= samples; sample++) {
    const folder = tempFolder('bench');
    const repository = join(folder.path, 'stockroom');
    mkdirSync(repository);
    await writeSampleRepository(repository);
    const model = await ScriptedModel.start(folder.path, demoScript);
    try {
      const before = machineFactor();
      const { ticketMs, ownMs, calls } = await driveTicket(repository, model.url);
      const prompts = calls.filter(({ port, method }) => port === 'agent' && method === 'prompt').length;
      const factor = (before + machineFactor()) / 2;
      found.push(ownMs / prompts / factor);
      const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
      const parts = `OpenCode ${seconds(timeIn(calls, 'agent'))}, git ${seconds(timeIn(calls, 'git'))}, commands ${seconds(timeIn(calls, 'process'))}`;
      notes.push(
        `our own ${seconds(ownMs)} of ${seconds(ticketMs)} (${parts}), ${String(prompts)} prompts, machine factor ${factor.toFixed(2)}`,
      );
      say(`${String(sample)} of ${String(samples)}: ${notes.at(-1) ?? ''}`);
    } finally {
      await model.end();
      folder.remove();
    }
  }
  return [{ name: 'own-time', unit: 'ms/call', bound: { atMost: 40 }, samples: found, notes }];
};
