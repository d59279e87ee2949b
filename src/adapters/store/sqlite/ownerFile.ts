import { join } from 'node:path';
import { FileLock, type HeldLock, LockHolder } from '../../system/lock.ts';
import type { Liveness } from '../../system/processes.ts';

/** The driver of a repository. `epoch` is 0 until the database gave one. */
export const OwnerRecord = LockHolder;
export type OwnerRecord = LockHolder;

export type Claim =
  | { readonly kind: 'owned'; readonly owner: OwnerFile }
  /** `elsewhere`: on another host or kernel. */
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
   * Becomes the owner, or says who is. `takeOver`: a person said that an unseen owner is gone. `onRestore`:
   * another program damaged the file, and it was rewritten.
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

  static current(folder: string): ReturnType<FileLock['holder']> {
    return lockOf(folder).holder();
  }

  get record(): OwnerRecord {
    return this.#lock.holder;
  }

  /** The previous driver died at work: it left the file, and wasn't about to end. */
  get isAfterCrash(): boolean {
    const { successorOf } = this.#lock;
    return successorOf !== undefined && successorOf.leaving !== true;
  }

  /** Says that it is about to end: being killed meanwhile is no crash. */
  leave(): Promise<void> {
    return this.#lock.write({ leaving: true });
  }

  stamp(epoch: number): Promise<void> {
    return this.#lock.write({ epoch });
  }

  /** Does nothing if another process is the owner by now. */
  release(): Promise<void> {
    return this.#lock.release();
  }
}

/** A driver that can't be judged keeps its repository, however silent. */
function lockOf(folder: string): FileLock {
  return new FileLock(join(folder, 'owner.json'), { abandonable: false });
}
