import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerConfig } from '../providerConfig.ts';
import { secondTicket } from '../sample/ticket.ts';
import type { Scene } from './show.ts';

/** The ticket after the demo's first one. */
export const nextTicketId = 'STOCK-2';

/** Returns the paths of the requests of the next ticket. */
export function nextPlaces(folder: string) {
  return { log: join(folder, 'requests-next.ndjson'), bodies: join(folder, 'requests-next') };
}

/**
 * Runs a quick ticket to its end that starts with the handoff of the one before it, with a model that knows
 * an answer to anything.
 */
export async function nextTicket({
  folder,
  repository,
  processes,
  say,
}: Omit<Scene, 'log' | 'running'>): Promise<void> {
  const { log, bodies } = nextPlaces(folder);
  const url = await processes.startModel(['--generic', '--log', log, '--bodies', bodies]);
  const config = join(folder, 'opencode-next.json');
  writeFileSync(config, JSON.stringify(providerConfig(url), undefined, 2));
  say('\nA second ticket, planned quickly, that starts with the handoff of the first one:');
  const ticket = [
    '--key',
    'demo-next',
    '--title',
    secondTicket.title,
    '--depth',
    secondTicket.depth,
    '--model',
    'scripted/alpha',
  ];
  const settings = [
    '--review',
    'off',
    '--handoff',
    'latest',
    '--approve',
    'all',
    '--end',
    'close',
    '--opencode-config',
    config,
  ];
  await processes.runCli(['run', '--repo', repository, ...ticket, ...settings]);
}
