import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson, writeAtomically } from '../system/files.ts';
import { endMarked } from '../system/processTree.ts';
import { markOf } from '../system/startedBy.ts';
import { ProcessIdentity, identityOf, isAlive } from '../system/processes.ts';

/** The variable that identifies everything a command started. It isn't a secret. */
export const commandVariable = 'BEADSMITH_COMMAND';

const Noted = ProcessIdentity.extend({ nonce: z.string().optional() });

/**
 * Running commands, one file each, so that the next driver can end those that a killed one left. A command is
 * a process group of its own and outlives its parent, and a second run would meet the first in the same
 * worktree.
 */
export class RunningCommands {
  readonly #folder: string;

  /** `folder`: in the state folder; made as needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns a function that removes the note. A command that can't be noted runs all the same. */
  async note(pid: number, nonce: string): Promise<() => Promise<void>> {
    const command = process.platform === 'win32' ? undefined : await identityOf(pid);
    const file = join(this.#folder, `${String(pid)}.json`);
    if (command) {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
        .then(() =>
          writeAtomically(file, JSON.stringify({ ...command, nonce }), { mode: 0o600, durable: false }),
        )
        .catch(() => undefined);
    }
    return () => rm(file, { force: true }).catch(() => undefined);
  }

  /**
   * Ends the commands of dead drivers, with everything they started. Only the driver calls it, before its
   * first command. A process is killed only if its start time or its environment proves that it is one.
   */
  async endAll(): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = join(this.#folder, name);
      const command = await readJson(file, Noted);
      // First by the mark: what is killed with its group isn't found by it, and may hold a port.
      if (command?.nonce !== undefined)
        await endMarked(commandVariable, command.nonce, [markOf(command.nonce)]);
      if (command && (await isAlive(command))) await end(command);
      await rm(file, { force: true });
    }
  }
}

const patienceMs = 2_000;

async function end(command: ProcessIdentity): Promise<void> {
  try {
    process.kill(-command.pid, 'SIGKILL');
  } catch {
    return; // it was faster
  }
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline && (await isAlive(command)))
    await new Promise((resolve) => setTimeout(resolve, 20));
}
