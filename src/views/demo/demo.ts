import type { TicketInput } from '../../domain/ticket/ticket.ts';

/**
 * A sample repository in a folder of its own, which was made for it and goes with it. Absolute, real paths.
 */
export interface DemoPlace {
  readonly folder: string;
  readonly repository: string;
}

/** The sample repository and its ticket, whose models are played by a script on this machine. */
export interface Demo {
  /** In which folder a new one is made, unless the person chooses another. */
  readonly usualFolder: string;
  /** The sample ticket, as it would be filed. */
  ticket(): Promise<TicketInput>;
  /** Those that this installation made and that are still there. */
  all(): Promise<readonly DemoPlace[]>;
  /**
   * Looks whether everything is there to run it; starts nothing that stays. DEMO_NEEDS if git or Node isn't.
   */
  check(): Promise<{ readonly hasOpencode: boolean }>;
  /** Makes a new one below a folder. GIT_FAILED; whatever was written is removed then. */
  make(parent: string): Promise<DemoPlace>;
  /** Notes that the next window that opens this one continues its ticket. */
  expect(place: DemoPlace): Promise<void>;
  /**
   * Ends what runs for it and deletes its folder, for good. DEMO_IN_USE while another window or command works
   * on it.
   */
  remove(place: DemoPlace): Promise<void>;
}

/**
 * Drives a ticket on a copy of its repository with scripted answers. `onLine`: the newest line that was said.
 * Answers all of them.
 */
export type Rehearse = (rehearsal: {
  readonly root: string;
  readonly ticket: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}) => Promise<{ readonly isWhole: boolean; readonly text: string }>;
