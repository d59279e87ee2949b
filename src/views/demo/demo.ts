import type { TicketInput } from '../../domain/ticket/ticket.ts';

/** A sample repository in a folder that goes with it. Absolute, real paths. */
export interface DemoPlace {
  readonly folder: string;
  readonly repository: string;
}

export interface Demo {
  readonly usualFolder: string;
  ticket(): Promise<TicketInput>;
  /** Those that this installation made and that are still there. */
  all(): Promise<readonly DemoPlace[]>;
  /** Starts nothing that stays. DEMO_NEEDS if git or Node isn't there. */
  check(): Promise<{ readonly hasOpencode: boolean }>;
  /** GIT_FAILED; whatever was written is removed then. */
  make(parent: string): Promise<DemoPlace>;
  /** The next window that opens this one continues its ticket. */
  expect(place: DemoPlace): Promise<void>;
  /** DEMO_IN_USE while another window or command works on it. */
  remove(place: DemoPlace): Promise<void>;
}

/**
 * Drives a ticket on a copy of its repository with scripted answers. `onLine`: the newest line. Answers all
 * lines.
 */
export type Rehearse = (rehearsal: {
  readonly root: string;
  readonly ticket: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}) => Promise<{ readonly isWhole: boolean; readonly text: string }>;
