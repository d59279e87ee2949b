import { join } from 'node:path';
import { FileLock, type HeldLock, LockHolder } from '../../system/lock.ts';
import type { Liveness } from '../../system/processes.ts';

/** The process that drives the tickets of a repository. `epoch` is 0 until the database has given one. */
export const OwnerRecord = LockHolder;
export type OwnerRecord = LockHolder;

export type Claim =
  | { readonly kind: 'owned'; readonly owner: OwnerFile }
  /** `liveness` is `alive`, or `elsewhere`: on another host or kernel. */
  | {
      readonly kind: 'driven';
      readonly by: OwnerRecord;
      readonly liveness: Liveness;
      readonly seenMs: number;
    };

/** `owner.json`: the lock of a repository's one driver (docs/decisions/004-one-driver.md). */
export class OwnerFile {
  readonly #lock: HeldLock;

  private constructor(lock: HeldLock) {
    this.#lock = lock;
  }

  /**
   * Becomes the owner of an existing folder, or says who is. `takeOver`: a person said that an owner who
   * can't be seen from here is gone. `onRestore`: told when another program removed or overwrote the file,
   * and it was written again.
   */
  static async claim(
    folder: string,
    { takeOver = false, onRestore }: { readonly takeOver?: boolean; readonly onRestore?: () => void } = {},
  ): Promise<Claim> {
    const attempt = await lockOf(folder).tryTake({ fromElsewhere: takeOver });
    if (attempt.kind === 'taken') return { ...attempt, kind: 'driven' };
    attempt.lock.giveSigns(onRestore);
    return { kind: 'owned', owner: new OwnerFile(attempt.lock) };
  }

  /** Returns the process that drives, as far as this process can see; undefined if none does. */
  static current(folder: string): ReturnType<FileLock['holder']> {
    return lockOf(folder).holder();
  }

  get record(): OwnerRecord {
    return this.#lock.holder;
  }

  /** True if the process that drove before died at work: it left the file, and wasn't about to end. */
  get isAfterCrash(): boolean {
    const { successorOf } = this.#lock;
    return successorOf !== undefined && successorOf.leaving !== true;
  }

  /** Records that this process was told to end: if it is killed meanwhile, that is no crash. */
  leave(): Promise<void> {
    return this.#lock.write({ leaving: true });
  }

  /** Records the epoch that the database gave. */
  stamp(epoch: number): Promise<void> {
    return this.#lock.write({ epoch });
  }

  /** Releases the ownership. Does nothing if another process is the owner by now. */
  release(): Promise<void> {
    return this.#lock.release();
  }
}

/** A driver that can't be judged keeps its repository, however long it has been silent. */
function lockOf(folder: string): FileLock {
  return new FileLock(join(folder, 'owner.json'), { abandonable: false });
}
