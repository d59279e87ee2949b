import type { ModelScript } from '../script/modelScript.ts';
import type { DemoCheck } from './checkDemo.ts';
import type { DemoProcesses } from './demoProcesses.ts';
import type { DemoFacts } from './facts.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerConfig } from '../providerConfig.ts';
import { secondTicket } from '../sample/ticket.ts';

/** A variant of the demo: its script, its start, what happens meanwhile, and the checks in the end. */
export interface Show {
  readonly script: ModelScript;
  /** Options of `beadsmith run`. */
  readonly options: readonly string[];
  /** The actions of a person while the ticket runs. `running` is its command line, which ends with it. */
  readonly meanwhile?: (scene: Scene) => Promise<void>;
  /** The steps after the end of the ticket, before the checks. */
  readonly afterwards?: (scene: Omit<Scene, 'log' | 'running'>) => Promise<void>;
  readonly check: (facts: DemoFacts, cli: string) => readonly DemoCheck[];
}

/** The environment in which a ticket of the demo runs. */
export interface Scene {
  /** The demo's own folder. */
  readonly folder: string;
  readonly repository: string;
  /** The requests that the scripted model got so far. */
  readonly log: string;
  readonly processes: DemoProcesses;
  readonly running: Promise<unknown>;
  readonly say: (line?: string) => void;
}

/** The ticket after the demo's first one. */
export const nextTicketId = 'STOCK-2';

/** Returns the paths of the requests of the next ticket. */
export function nextPlaces(folder: string) {
  return { log: join(folder, 'requests-next.ndjson'), bodies: join(folder, 'requests-next') };
}

/** Runs a quick ticket with the handoff of the one before, with a model that can answer anything. */
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
  const { title, depth } = secondTicket;
  const ticket = ['--key=demo-next', `--title=${title}`, `--depth=${depth}`, '--model=scripted/alpha'];
  const settings = ['--review=off', '--handoff=latest', '--approve=all', '--end=close'];
  const places = ['--repo', repository, '--opencode-config', config];
  await processes.runCli(['run', ...ticket, ...settings, ...places]);
}
