import type { ModelScript } from '../script/modelScript.ts';
import type { DemoCheck } from './checkDemo.ts';
import type { DemoProcesses } from './demoProcesses.ts';
import type { DemoFacts } from './facts.ts';

/**
 * A variant of the demo: what the scripted model plays, how the ticket is started, what happens meanwhile,
 * and what must be true in the end.
 */
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
