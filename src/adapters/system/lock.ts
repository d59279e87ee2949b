import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { mkdir, readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Mutex } from '../../base/mutex.ts';
import { codeOf, createExclusively, readJson, writeAtomically } from './files.ts';
import { type Liveness, ProcessIdentity, livenessOf, ownIdentity } from './processes.ts';

/**
 * The holder of a lock. `nonce` is of this one taking. `epoch` is the driver's (see OwnerFile), and 0 in
 * every other lock. `leaving`: it is about to end. `since`: when it took the lock.
 */
export const LockHolder = ProcessIdentity.extend({
  nonce: z.string().regex(/^[a-z0-9]{1,64}$/),
  epoch: z.number().int(),
  leaving: z.boolean().optional(),
  since: z.number().optional(),
});
export type LockHolder = z.infer<typeof LockHolder>;

export type LockAttempt =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  /** `seenMs`: the last sign of its holder, in milliseconds since 1970. */
  | { readonly kind: 'taken'; readonly by: LockHolder; readonly liveness: Liveness; readonly seenMs: number };

export interface LockOptions {
  /** True if it may be taken from a holder who can't be judged, ten minutes after its last sign. */
  readonly abandonable?: boolean;
  /** `false`: don't even try to make hard links. Default: they are used where the file system has them. */
  readonly hardLinks?: boolean;
}

/** A holder in the chain of a lock. `modifiedMs` is the time of the last sign of it. */
interface Link {
  readonly holder: LockHolder;
  readonly kind: 'holder' | 'unfinished' | 'unknown';
  readonly modifiedMs: number;
}

const racesInARow = 20;
/** Time after which a lock file that isn't whole belongs to a process that ended meanwhile. */
const unfinishedMs = 5_000;
const abandonedMs = 10 * 60_000;
const signMs = 60_000;
/** Turns inside of this process, so that several locks on one file queue instead of polling. */
const turns = new Mutex();

/**
 * A file that exists while one process holds it, and says which. A dead holder is succeeded through a file
 * named after it, `<name>-<its nonce>.next`, which only one process can make: that process holds the lock
 * from then on, and replaces the lock file. If that one dies before it did, it is succeeded in the same way,
 * so the last of the chain is the holder. Nobody ever removes a lock file of another process, so none who saw
 * the dead holder can remove the lock of who came after it.
 */
export class FileLock {
  readonly #file: string;
  readonly #options: LockOptions;

  constructor(file: string, options: LockOptions = {}) {
    this.#file = file;
    this.#options = options;
  }

  /** Takes the lock, or says who has it. `fromElsewhere`: a person knows that an unseen holder is gone. */
  async tryTake({ fromElsewhere = false }: { readonly fromElsewhere?: boolean } = {}): Promise<LockAttempt> {
    const me: LockHolder = {
      ...(await ownIdentity()),
      nonce: randomUUID().replaceAll('-', ''),
      epoch: 0,
      since: Date.now(),
    };
    for (let round = 0; ; round++) {
      const chain = await this.#readChain();
      const [first] = chain;
      const last = chain.at(-1);
      if (!first || !last) {
        if (await this.#create(this.#file, me)) return this.#held(me);
      } else {
        const liveness = await this.#livenessOf(last);
        const isFree =
          liveness === 'dead' || (fromElsewhere && liveness === 'elsewhere' && last.kind !== 'unfinished');
        if (!isFree || round >= racesInARow)
          return { kind: 'taken', by: last.holder, liveness, seenMs: last.modifiedMs };
        if (await this.#succeed(first.holder, last.holder, me))
          return this.#held(me, last.kind === 'holder' ? last.holder : undefined);
      }
      await pause(10);
    }
  }

  /** Returns the process that has it, without taking it; undefined when nobody has (any more). */
  async holder(): Promise<
    { readonly by: LockHolder; readonly liveness: Liveness; readonly seenMs: number } | undefined
  > {
    const last = (await this.#readChain()).at(-1);
    const liveness = last && (await this.#livenessOf(last));
    return !last || !liveness || liveness === 'dead'
      ? undefined
      : { by: last.holder, liveness, seenMs: last.modifiedMs };
  }

  /** Runs a task with the lock; makes its folder. Throws `busy()` when it isn't free in time. */
  run<T>(
    task: () => Promise<T>,
    { patienceMs, busy }: { readonly patienceMs: number; readonly busy: () => Error },
  ): Promise<T> {
    return turns.run(this.#file, async () => {
      await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
      const deadline = performance.now() + patienceMs;
      for (let wait = 10; ; wait = Math.min(wait * 2, 250)) {
        const attempt = await this.tryTake();
        if (attempt.kind === 'held') return await attempt.lock.during(task);
        if (performance.now() > deadline) throw busy();
        await pause(wait);
      }
    });
  }

  async #held(me: LockHolder, successorOf?: LockHolder): Promise<LockAttempt> {
    await this.#sweep();
    return { kind: 'held', lock: new HeldLock(this.#file, me, successorOf) };
  }

  /** Without hard links another process may have taken this file for an unfinished one. */
  async #create(file: string, me: LockHolder): Promise<boolean> {
    const start = performance.now();
    if (!(await createExclusively(file, JSON.stringify(me), { durable: false, ...this.#options })))
      return false;
    const isOurs = (await this.#read(file))?.holder.nonce === me.nonce;
    if (isOurs && performance.now() - start < unfinishedMs / 2) return true;
    if (isOurs) await rm(file, { force: true });
    return false;
  }

  /** Takes the place of the dead `last`; `first` is the one the lock file named when the chain was read. */
  async #succeed(first: LockHolder, last: LockHolder, me: LockHolder): Promise<boolean> {
    const successor = this.#nextOf(last);
    if (!(await this.#create(successor, me))) return false;
    try {
      // Another process may have removed the chain since it was read: this link is invalid then.
      if ((await this.#read(this.#file))?.holder.nonce === first.nonce) {
        await writeAtomically(this.#file, JSON.stringify(me), { mode: 0o600, durable: false });
        return true;
      }
    } catch (error) {
      await rm(successor, { force: true });
      throw error;
    }
    await rm(successor, { force: true });
    return false;
  }

  /** Removes what take-overs left. Only the holder may: nobody can follow a living one. */
  async #sweep(): Promise<void> {
    const { name } = parse(this.#file);
    const folder = dirname(this.#file);
    for (const entry of await readdir(folder)) {
      const path = join(folder, entry);
      const isNext = entry.startsWith(`${name}-`) && /^[a-z0-9]+\.next$/.test(entry.slice(name.length + 1));
      const isPart =
        entry.endsWith('.part') &&
        (entry.startsWith(`${basename(this.#file)}.`) || entry.startsWith(`${name}-`));
      const isOld = isPart && Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0) > signMs;
      if (isNext || isOld) await rm(path, { force: true });
    }
  }

  async #livenessOf({ holder, kind, modifiedMs }: Link): Promise<Liveness> {
    // The clock may have been set back since: what is far in the future isn't new either.
    const silentMs = Math.abs(Date.now() - modifiedMs);
    if (kind === 'unfinished') return silentMs > unfinishedMs ? 'dead' : 'elsewhere';
    const liveness = kind === 'unknown' ? 'elsewhere' : await livenessOf(holder, modifiedMs);
    return liveness === 'elsewhere' && this.#options.abandonable === true && silentMs > abandonedMs
      ? 'dead'
      : liveness;
  }

  /** The holder and those who succeeded it, in order; empty when nobody holds it. */
  async #readChain(): Promise<readonly Link[]> {
    const chain: Link[] = [];
    for (let path = this.#file; ;) {
      const link = await this.#read(path);
      if (!link || chain.some(({ holder }) => holder.nonce === link.holder.nonce)) return chain;
      chain.push(link);
      path = this.#nextOf(link.holder);
    }
  }

  /** A file that holds no holder is named after itself, so that it can be succeeded like one. */
  async #read(path: string): Promise<Link | undefined> {
    try {
      const { value, isWhole } = parsed(await readFile(path, 'utf8'));
      // Asked after reading: if another file is in its place by now, that one is younger.
      const found = await stat(path, { bigint: true });
      const holder = LockHolder.safeParse(value);
      const modifiedMs = Number(found.mtimeMs);
      if (holder.success) return { holder: holder.data, kind: 'holder', modifiedMs };
      return { holder: nameless(path, found), kind: isWhole ? 'unknown' : 'unfinished', modifiedMs };
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  #nextOf({ nonce }: LockHolder): string {
    return join(dirname(this.#file), `${parse(this.#file).name}-${nonce}.next`);
  }
}

/** A lock that this process holds until it is released. */
export class HeldLock {
  readonly #file: string;
  /** The dead holder whose place this one took. */
  readonly successorOf: LockHolder | undefined;
  #holder: LockHolder;
  #signs: NodeJS.Timeout | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(file: string, holder: LockHolder, successorOf?: LockHolder) {
    this.#file = file;
    this.#holder = holder;
    this.successorOf = successorOf;
  }

  get holder(): LockHolder {
    return this.#holder;
  }

  /** Changes what the lock says of its holder. Does nothing if another process holds it by now. */
  write(set: Pick<Partial<LockHolder>, 'epoch' | 'leaving'>): Promise<void> {
    this.#holder = { ...this.#holder, ...set };
    return this.#inTurn(async () => {
      if (await this.#isHeld())
        await writeAtomically(this.#file, JSON.stringify(this.#holder), { mode: 0o600 });
    });
  }

  /**
   * Gives signs that the holder lives, until the lock is released or another process holds it. A file that
   * was removed or overwritten with what names no living holder is written again, and `onRestore` told.
   */
  giveSigns(onRestore: () => void = () => undefined): void {
    this.#signs ??= setInterval(() => void this.#giveSign(onRestore).catch(() => undefined), signMs).unref();
  }

  /** Runs a task, gives signs that the holder lives, and releases the lock. */
  async during<T>(task: () => Promise<T>): Promise<T> {
    this.giveSigns();
    try {
      return await task();
    } finally {
      await this.release();
    }
  }

  #giveSign(onRestore: () => void): Promise<void> {
    return this.#inTurn(async () => {
      if (await this.#isHeld()) return utimes(this.#file, new Date(), new Date());
      const text = JSON.stringify(this.#holder);
      // A process that starts meanwhile may make the file that is gone: then the lock is that one's.
      const isMade = await createExclusively(this.#file, text, { durable: false });
      if (!isMade && (await this.#isTaken())) {
        clearInterval(this.#signs);
        return;
      }
      if (!isMade) await writeAtomically(this.#file, text, { mode: 0o600, durable: false });
      onRestore();
    });
  }

  /** Checks whether the file names a holder who may be alive. */
  async #isTaken(): Promise<boolean> {
    return (
      (await readJson(this.#file, LockHolder)) !== undefined &&
      (await new FileLock(this.#file).holder()) !== undefined
    );
  }

  /** Lets the next one take it. Does nothing if another process holds it by now. */
  release(): Promise<void> {
    clearInterval(this.#signs);
    return this.#inTurn(async () => {
      if (await this.#isHeld()) await rm(this.#file, { force: true });
    });
  }

  async #isHeld(): Promise<boolean> {
    return (await readJson(this.#file, LockHolder))?.nonce === this.#holder.nonce;
  }

  /** One after the other, so that nothing is written to a lock that is being released. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}

function nameless(path: string, { ino, mtimeNs }: BigIntStats): LockHolder {
  const nonce = `file${ino.toString(36)}at${mtimeNs.toString(36)}`;
  const host = `an unreadable ${basename(path)}`;
  return { host, boot: '', namespace: '', pid: 1, started: '', nonce, epoch: 0 };
}

/** A text that isn't whole JSON is one whose writer hasn't finished, or never will. */
function parsed(text: string): { readonly value: unknown; readonly isWhole: boolean } {
  try {
    return { value: JSON.parse(text), isWhole: true };
  } catch {
    return { value: undefined, isWhole: false };
  }
}
