import { keepNewest } from '../../base/keepNewest.ts';

/** No system gives a process's number to another one so soon after. */
const trustMs = 60_000;
const mostKnown = 100;

export interface ProcessLook {
  /** Whether there is any process with this number. Costs nothing. */
  isThere(pid: number): boolean;
  /** When the process with this number began. Costs a process of its own. */
  startOf(pid: number): Promise<string | undefined>;
  /** Milliseconds that only go forward. */
  now(): number;
}

/**
 * Whether processes live, where asking for more than a number costs a process of its own and a guard asks every second: one that was recognised within
 * the last minute, and whose number is still there, is taken for the same.
 */
export class KnownProcesses {
  readonly #look: ProcessLook;
  readonly #recognised = new Map<string, number>();

  constructor(look: ProcessLook) {
    this.#look = look;
  }

  async isAlive({ pid, start }: { readonly pid: number; readonly start: string }): Promise<boolean> {
    const key = `${String(pid)} ${start}`;
    const at = this.#recognised.get(key);
    if (!this.#look.isThere(pid)) return false;
    if (at !== undefined && this.#look.now() - at < trustMs) return true;
    this.#recognised.delete(key);
    if ((await this.#look.startOf(pid)) !== start) return false;
    keepNewest(this.#recognised.set(key, this.#look.now()), mostKnown);
    return true;
  }
}
