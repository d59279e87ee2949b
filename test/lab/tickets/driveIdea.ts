import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { opencodeBinary } from '../../../.build/paths.mjs';
import { providerConfig } from '../../../src/demo/providerConfig.ts';
import { startScriptedServer } from '../../../src/demo/scriptedServer.ts';
import { CliProcess, runCli } from '../../support/cliProcess.ts';
import type { Place } from '../place.ts';
import type { Idea } from './ideas.ts';
import { lostTexts, takenForContent } from './lost.ts';
import { MessyModel } from './messyModel.ts';

/** `again`: answers asked for once more; `lost`: texts that no document has. */
export interface Driven {
  readonly title: string;
  readonly status: string;
  readonly seconds: number;
  readonly answers: number;
  readonly again: number;
  readonly lost: readonly string[];
  readonly says: string;
  readonly folder: string;
}

const limitMs = 600_000;

/**
 * Built command line, real OpenCode, models that answer in the styles of the corpus, by this seed; nobody
 * steps in.
 */
export async function driveIdea(idea: Idea, place: Place, seed: string): Promise<Driven> {
  const model = new MessyModel(seed);
  const folder = join(place.folder, `ticket-${String(readdirSync(place.folder).length)}`);
  mkdirSync(folder);
  const server = await startScriptedServer({ disguise: model, log: join(folder, 'requests.ndjson') });
  const started = performance.now();
  try {
    const config = join(folder, 'opencode.json');
    writeFileSync(config, JSON.stringify(providerConfig(server.url, ['alpha', 'beta', 'gamma'])));
    const council = ['scripted/beta', 'scripted/gamma']
      .slice(0, idea.council)
      .flatMap((member) => ['--council', member]);
    const ticket = [
      '--title',
      idea.title,
      '--description',
      idea.description,
      '--prefix',
      'LAB',
      '--model',
      'scripted/alpha',
      ...council,
    ];
    const gates = ['--skip-interview', '--approve', 'all', '--end', 'close'];
    const opencode = [
      '--opencode-config',
      config,
      '--opencode',
      process.env['BEADSMITH_OPENCODE'] ?? opencodeBinary(),
    ];
    const cli = new CliProcess([
      'run',
      '--repo',
      place.repository,
      ...ticket,
      ...gates,
      ...opencode,
      '--json',
    ]);
    const timer = setTimeout(() => cli.child.kill('SIGTERM'), limitMs);
    const { stdout, stderr } = await cli.ended;
    clearTimeout(timer);
    writeFileSync(join(folder, 'events.ndjson'), stdout);
    writeFileSync(join(folder, 'said.json'), JSON.stringify(model.said, undefined, 1));
    const end = cli.events.findLast((event) => event.type === 'end');
    const exported = join(folder, 'export');
    if (end?.ticket) await runCli(['export', end.ticket, '--repo', place.repository, '--to', exported]);
    return {
      title: idea.title,
      status: end?.status ?? 'not started',
      seconds: Math.round((performance.now() - started) / 100) / 10,
      answers: model.said.length,
      again: server.requests.filter(({ repair }) => repair).length,
      lost: end?.ticket ? [...lostTexts(model.said, exported), ...takenForContent(exported)] : [],
      says: end?.['error'] ? JSON.stringify(end['error']) : stderr.trim(),
      folder,
    };
  } finally {
    await server.close();
  }
}
