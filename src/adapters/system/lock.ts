import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { readFile, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { Mutex } from '../../base/mutex.ts';
import { codeOf, createExclusively, readJson, writeAtomically, statAt, makePrivateFolder } from './files.ts';
import { type Liveness, ProcessIdentity, livenessOf, ownIdentity } from './processes.ts';

/**
 * `nonce`: of this taking. `epoch`: the driver's, 0 in other locks. `leaving`: about to end. `since`: when
 * taken.
 */
export const LockHolder = ProcessIdentity.extend({
  nonce: z.string().regex(/^[a-z0-9]{1,64}$/),
  epoch: z.number().int(),
  leaving: z.boolean().optional(),
  since: z.number().optional(),
});
export type LockHolder = z.infer<typeof LockHolder>;

type LockAttempt =
  | { readonly kind: 'held'; readonly lock: HeldLock }
  /** `seenMs`: the holder's last sign, in milliseconds since 1970. */
  | { readonly kind: 'taken'; readonly by: LockHolder; readonly liveness: Liveness; readonly seenMs: number };

interface LockOptions {
  /** May be taken from a holder who can't be judged, ten minutes after its last sign. */
  readonly abandonable?: boolean;
  /** `false`: don't even try. Default: where the file system has them. */
  readonly hardLinks?: boolean;
}

interface Link {
  readonly holder: LockHolder;
  readonly kind: 'holder' | 'unfinished' | 'unknown';
  readonly modifiedMs: number;
}

const racesInARow = 20;
/** Age of a lock file that isn't whole: its process ended meanwhile. */
const unfinishedMs = 5_000;
const abandonedMs = 10 * 60_000;
const signMs = 60_000;
/** Within this process locks on one file queue instead of polling. */
const turns = new Mutex();

/**
 * A file that exists while one process holds it. A dead holder is succeeded by a file `<name>-<its
 * nonce>.next`, which only one process can make; its maker holds the lock and replaces the file. The last of
 * such a chain is the holder. Nobody removes another's lock file, so a late observer can't remove a
 * successor's.
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

  async holder(): Promise<
    { readonly by: LockHolder; readonly liveness: Liveness; readonly seenMs: number } | undefined
  > {
    const last = (await this.#readChain()).at(-1);
    const liveness = last && (await this.#livenessOf(last));
    return !last || !liveness || liveness === 'dead'
      ? undefined
      : { by: last.holder, liveness, seenMs: last.modifiedMs };
  }

  /** Makes its folder. Throws `busy()` when the lock isn't free in time. */
  run<T>(
    task: () => Promise<T>,
    { patienceMs, busy }: { readonly patienceMs: number; readonly busy: () => Error },
  ): Promise<T> {
    return turns.run(this.#file, async () => {
      await makePrivateFolder(dirname(this.#file));
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

  /** Makes the file. Without hard links another process may have taken it for an unfinished one. */
  async #create(file: string, me: LockHolder): Promise<boolean> {
    const start = performance.now();
    if (!(await createExclusively(file, JSON.stringify(me), { durable: false, ...this.#options })))
      return false;
    const isOurs = (await this.#read(file))?.holder.nonce === me.nonce;
    if (isOurs && performance.now() - start < unfinishedMs / 2) return true;
    if (isOurs) await rm(file, { force: true });
    return false;
  }

  async #succeed(first: LockHolder, last: LockHolder, me: LockHolder): Promise<boolean> {
    const successor = this.#nextOf(last);
    if (!(await this.#create(successor, me))) return false;
    try {
      // The chain was removed meanwhile: this link is invalid.
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
      const isOld = isPart && Date.now() - ((await statAt(path))?.mtimeMs ?? 0) > signMs;
      if (isNext || isOld) await rm(path, { force: true });
    }
  }

  async #livenessOf({ holder, kind, modifiedMs }: Link): Promise<Liveness> {
    // The clock may have been set back: the far future isn't new either.
    const silentMs = Math.abs(Date.now() - modifiedMs);
    if (kind === 'unfinished') return silentMs > unfinishedMs ? 'dead' : 'elsewhere';
    const liveness = kind === 'unknown' ? 'elsewhere' : await livenessOf(holder, modifiedMs);
    return liveness === 'elsewhere' && this.#options.abandonable === true && silentMs > abandonedMs
      ? 'dead'
      : liveness;
  }

  async #readChain(): Promise<readonly Link[]> {
    const chain: Link[] = [];
    for (let path = this.#file; ;) {
      const link = await this.#read(path);
      if (!link || chain.some(({ holder }) => holder.nonce === link.holder.nonce)) return chain;
      chain.push(link);
      path = this.#nextOf(link.holder);
    }
  }

  /** A file without a holder is named after itself, to be succeeded like one. */
  async #read(path: string): Promise<Link | undefined> {
    try {
      const { value, isWhole } = parsed(await readFile(path, 'utf8'));
      // After reading: a file put there meanwhile is younger.
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

export class HeldLock {
  readonly #file: string;
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

  /** Does nothing if another process holds it by now. */
  write(set: Pick<Partial<LockHolder>, 'epoch' | 'leaving'>): Promise<void> {
    this.#holder = { ...this.#holder, ...set };
    return this.#inTurn(async () => {
      if (await this.#isHeld())
        await writeAtomically(this.#file, JSON.stringify(this.#holder), { mode: 0o600 });
    });
  }

  /**
   * Signs of life, until release or another holder. A damaged file without a living holder is rewritten, and
   * `onRestore` told.
   */
  giveSigns(onRestore: () => void = () => undefined): void {
    this.#signs ??= setInterval(() => void this.#giveSign(onRestore).catch(() => undefined), signMs).unref();
  }

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
      // A starting process may make the missing file: the lock is that one's then.
      const isMade = await createExclusively(this.#file, text, { durable: false });
      if (!isMade && (await this.#isTaken())) {
        clearInterval(this.#signs);
        return;
      }
      if (!isMade) await writeAtomically(this.#file, text, { mode: 0o600, durable: false });
      onRestore();
    });
  }

  async #isTaken(): Promise<boolean> {
    return (
      (await readJson(this.#file, LockHolder)) !== undefined &&
      (await new FileLock(this.#file).holder()) !== undefined
    );
  }

  /** Does nothing if another process holds it by now. */
  release(): Promise<void> {
    clearInterval(this.#signs);
    return this.#inTurn(async () => {
      if (await this.#isHeld()) await rm(this.#file, { force: true });
    });
  }

  async #isHeld(): Promise<boolean> {
    return (await readJson(this.#file, LockHolder))?.nonce === this.#holder.nonce;
  }

  /** Nothing is written to a lock that is being released. */
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

/** Parses a text; one that isn't whole has a writer who hasn't finished, or never will. */
function parsed(text: string): { readonly value: unknown; readonly isWhole: boolean } {
  try {
    return { value: JSON.parse(text), isWhole: true };
  } catch {
    return { value: undefined, isWhole: false };
  }
}
