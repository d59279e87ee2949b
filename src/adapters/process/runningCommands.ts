import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { readJson, writeAtomically, namesAt, makePrivateFolder } from '../system/files.ts';
import { endMarked } from '../system/processTree.ts';
import { markOf } from '../system/startedBy.ts';
import { ProcessIdentity, identityOf, isAlive } from '../system/processes.ts';

/** Marks everything a command started. It isn't a secret. */
export const commandVariable = 'BEADSMITH_COMMAND';

const Noted = ProcessIdentity.extend({ nonce: z.string().optional() });

/**
 * A file per running command, so that the next driver ends those of a killed one: they outlive it, and a
 * second run would meet the first in its worktree.
 */
export class RunningCommands {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Answers what removes the note. A command that can't be noted runs all the same. */
  async note(pid: number, nonce: string): Promise<() => Promise<void>> {
    const command = process.platform === 'win32' ? undefined : await identityOf(pid);
    const file = join(this.#folder, `${pid}.json`);
    if (command) {
      const text = JSON.stringify({ ...command, nonce });
      await makePrivateFolder(this.#folder)
        .then(() => writeAtomically(file, text, { mode: 0o600, durable: false }))
        .catch(() => undefined);
    }
    return () => rm(file, { force: true }).catch(() => undefined);
  }

  /**
   * Ends commands of dead drivers, with all they started; the driver calls it before its first command. Only
   * proved processes are killed: by start time or environment.
   */
  async endAll(): Promise<void> {
    for (const name of await namesAt(this.#folder)) {
      const file = join(this.#folder, name);
      const command = await readJson(file, Noted);
      // First by the mark: it isn't found once its group is killed, and may hold a port.
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
  while (performance.now() < deadline && (await isAlive(command))) await pause(20);
}
