import { callSync, changedBy, storeCalls } from '../../../src/adapters/store/sql/workerMessages.ts';
import { toStoreError } from '../../../src/adapters/store/sqlite/database.ts';
import { SqliteStore } from '../../../src/adapters/store/sqliteStore.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { BeadsmithError, toBeadsmithError } from '../../../src/domain/core/errors.ts';
import { Engine } from '../../../src/engine/drive/engine.ts';
import type { Clock, Ports } from '../../../src/engine/ports/ports.ts';
import type { Store, StoreListener } from '../../../src/engine/ports/storePort.ts';
import { agentPort, otherPorts } from './ports.ts';
import type { World } from './world.ts';

/** `issued`: nothing happened yet; `done`: it happened, and nobody knows. */
export interface CallMoment {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly when: 'issued' | 'done' | 'answered';
}

const writes: readonly string[] = [
  'commit',
  'post',
  'createTicket',
  'addActive',
  'saveReviewThread',
  'removeReviewThread',
  'changeDismissal',
  'removeDismissal',
];

/**
 * The real engine on ports whose calls take time, fail, and end with the process. What a killed one started
 * in the world stays.
 */
export class SimulatedDriver {
  readonly engine: Engine;
  readonly ports: Ports;
  readonly #world: World;
  readonly #sqlite: SqliteStore;
  readonly #changed = new Emitter<Parameters<StoreListener>>();
  #state: 'alive' | 'frozen' | 'dead' = 'alive';
  #queueEnds = 0;
  #threadDied = false;
  readonly #thawed: (() => void)[] = [];
  readonly epoch: number;

  constructor(world: World) {
    this.#world = world;
    this.#sqlite = new SqliteStore(world.database, () => world.wallClock());
    this.epoch = this.#sqlite.adopt();
    this.ports = {
      ...otherPorts(world, this),
      agent: agentPort(world, this),
      store: this.#store(),
      clock: this.#clock(),
    };
    this.engine = new Engine(this.ports, world.behaviour);
    this.engine.onDidBecomeIdle((end) => {
      if ('error' in end) this.#world.driveFailed(this);
    });
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  /** SIGKILL. */
  kill(): void {
    this.#state = 'dead';
  }

  /** Until another one drives; then it continues, and must find that it no longer may. */
  freeze(): void {
    this.#state = 'frozen';
  }

  thaw(): void {
    if (this.#state !== 'frozen') return;
    this.#state = 'alive';
    for (const happen of this.#thawed.splice(0)) happen();
  }

  /** A moment later. */
  notice(): void {
    this.#later(this.#world.random.between(10, 1_000), () => this.#changed.emit([undefined]));
  }

  /** It happens after a while, and its answer comes later. Until then the process may end. */
  call<T>(name: string, args: readonly unknown[], act: () => T | Promise<T>): Promise<T> {
    const world = this.#world;
    return new Promise<T>((resolve, reject) => {
      if (this.#endsAt({ name, args, when: 'issued' })) return;
      this.#later(world.random.between(0, 40), () => {
        // A stopped process may do nothing more: its successor does it.
        if (world.driver !== this) return;
        const answer = (settle: () => void): void => {
          if (this.#endsAt({ name, args, when: 'done' })) return;
          this.#later(world.random.between(0, 40), () => {
            if (!this.#endsAt({ name, args, when: 'answered' })) settle();
          });
        };
        try {
          if (world.fails(name)) throw new BeadsmithError('GIT_LOCKED', { path: 'index.lock', seconds: 15 });
          const value = act();
          if (!(value instanceof Promise)) answer(() => resolve(value));
          else
            value.then(
              (settled) => answer(() => resolve(settled)),
              (error: unknown) => answer(() => reject(toBeadsmithError(error))),
            );
        } catch (error) {
          answer(() => reject(toBeadsmithError(error)));
        }
      });
    });
  }

  /** Unless the process has ended by then. */
  #later(ms: number, happen: () => void): void {
    this.#world.timeline.after(ms, () => {
      if (this.#state === 'alive') happen();
      else if (this.#state === 'frozen') this.#thawed.push(happen);
    });
  }

  #endsAt(moment: CallMoment): boolean {
    if (this.#state === 'dead') return true;
    if (this.#world.endsAt(this, moment)) return true;
    return !this.isAlive && this.#state !== 'frozen';
  }

  #store(): Store {
    const calls = storeCalls(Object.keys(this.#sqlite.calls), (method, args) =>
      this.#storeCall(method, args),
    );
    const onDidChange = (listener: StoreListener): Disposable =>
      this.#changed.on((change) => listener(...change));
    return { ...calls, onDidChange, close: async () => undefined };
  }

  /** One after the other, as in the database's thread. */
  #storeCall(method: string, args: readonly unknown[]): Promise<unknown> {
    const world = this.#world;
    const name = `store.${method}`;
    return new Promise((resolve, reject) => {
      if (this.#endsAt({ name, args, when: 'issued' })) return;
      const { timeline, random } = world;
      const held = world.strikes('busy') ? random.between(50, 35_000) : 0;
      this.#queueEnds = Math.max(this.#queueEnds, timeline.now + random.between(0, 2)) + held;
      this.#later(this.#queueEnds - timeline.now, () => {
        const isWrite = writes.includes(method);
        const answer = (settle: () => void): void => {
          if (isWrite && this.#endsAt({ name, args, when: 'done' })) return;
          this.#later(random.between(0, 2), () => {
            if (!isWrite || !this.#endsAt({ name, args, when: 'answered' })) settle();
          });
        };
        try {
          this.#mayFail(isWrite);
          const value = callSync(this.#sqlite.calls, method, world.sent(this, method, args));
          if (method === 'commit') world.committed(this, args);
          // The answer may be lost although the write is there.
          if (isWrite && world.strikes('thread')) this.#threadDied = true;
          if (this.#threadDied) throw threadDied();
          answer(() => {
            resolve(value);
            for (const change of changedBy(method, args, value)) this.#changed.emit(change);
          });
        } catch (error) {
          // As it crosses from the thread.
          answer(() => reject(toBeadsmithError(toStoreError(error, { path: 'state.db', backup: () => '' }))));
        }
      });
    });
  }

  #mayFail(isWrite: boolean): void {
    const world = this.#world;
    if (this.#threadDied) throw threadDied();
    if (world.strikes('tooBusy')) throw new BeadsmithError('DATABASE_BUSY', { seconds: 10 });
    const disk = world.disk();
    if (disk === 'full' && isWrite) throw new BeadsmithError('DISK_FULL');
    if (disk === 'broken')
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
  }

  #clock(): Clock {
    const world = this.#world;
    return {
      now: () => world.wallClock(),
      monotonic: () => world.timeline.now,
      randomId: () =>
        Array.from(
          { length: 26 },
          () => '0123456789abcdefghjkmnpqrstvwxyz'[world.random.between(0, 31)],
        ).join(''),
      sleep: (ms, signal) =>
        new Promise((resolve) => {
          if (signal?.aborted) {
            resolve();
            return;
          }
          const end = (): void => {
            signal?.removeEventListener('abort', end);
            resolve();
          };
          this.#later(Math.max(1, ms), end);
          signal?.addEventListener('abort', end);
        }),
    };
  }
}

function threadDied(): BeadsmithError {
  return new BeadsmithError('UNEXPECTED', { reason: 'the database worker failed' });
}
