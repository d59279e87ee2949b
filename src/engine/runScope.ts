import type { StageHandlers } from './run.ts';
import type { Ports } from './ports.ts';
import type { RunControl } from './runControl.ts';
import type { RunRow, StepRow } from './storePort.ts';

/** What all parts of one run share. Branches of `all` differ only in the prefix of their keys. */
export interface RunScope {
  readonly row: RunRow;
  readonly ports: Ports;
  readonly control: RunControl;
  readonly stages: StageHandlers;
  /** What the journal knows of the run's steps, by key; kept up to date as steps are recorded. */
  readonly steps: Map<string, StepRow>;
  /** The keys this execution of the handler has asked for. */
  readonly asked: Set<string>;
}

/** Reads what the journal knows of a run. */
export async function openScope(scope: Omit<RunScope, 'steps' | 'asked'>): Promise<RunScope> {
  const rows = await scope.ports.store.steps(scope.row.id);
  return { ...scope, steps: new Map(rows.map((row) => [row.key, row])), asked: new Set() };
}

/** Journaled keys the handler didn't ask for: it no longer does what it did when they were written (rule 5). */
export function unaskedKeys(scope: RunScope): readonly string[] {
  return [...scope.steps.values()].filter((step) => step.state !== 'intent' && !scope.asked.has(step.key)).map((step) => step.key);
}
