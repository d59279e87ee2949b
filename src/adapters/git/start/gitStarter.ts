import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HelperAnswer, HelperOrder } from './gitHelper.ts';
import { type GitOutput, type GitStart, runGit } from './runGit.ts';
import { asNode } from '../../system/commandEnvironment.ts';

interface Waiting {
  readonly resolve: (output: GitOutput) => void;
  readonly reject: (error: Error) => void;
}

/** Starts of git before a helper is worth its own. */
const before = 10;
/** Each death takes a call with it. */
const mostLost = 3;

/**
 * Starts git itself, later by a helper: forking a large process blocks an editor's host for 3 to 10 ms.
 * Without a helper git is started here.
 */
export class GitStarter {
  readonly #program: string | undefined;
  readonly #idleMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #started = 0;
  #lost = 0;
  #helper: ChildProcess | undefined;
  #isReady = false;
  #idle: NodeJS.Timeout | undefined;

  /** `program`: the helper. `idleMs`: its life unused. */
  constructor(program: string | undefined, { idleMs = 30_000 } = {}) {
    this.#program = program;
    this.#idleMs = idleMs;
  }

  /** Fails when git can't be started or was ended, and when the helper died. */
  async run(start: GitStart): Promise<GitOutput> {
    const id = ++this.#started;
    const helper = this.#helper;
    // A signal can't be sent to a process.
    if (!helper?.connected || !this.#isReady || start.signal) {
      if (id % before === 0) this.#start();
      return runGit(start);
    }
    const { promise, resolve, reject } = Promise.withResolvers<GitOutput>();
    this.#waiting.set(id, { resolve, reject });
    this.#hold(helper);
    const order: HelperOrder = { id, start };
    helper.send(order, (error) => {
      if (error) this.#settle(id, (waiting) => waiting.reject(error));
    });
    return promise;
  }

  get helper(): number | undefined {
    return this.#isReady ? this.#helper?.pid : undefined;
  }

  #start(): void {
    if (this.#program === undefined || this.#helper || this.#lost >= mostLost) return;
    const helper = spawn(process.execPath, [this.#program], {
      env: { ...process.env, ...asNode },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      windowsHide: true,
    });
    this.#helper = helper;
    const lose = (): void => {
      if (this.#helper !== helper) return;
      this.#helper = undefined;
      this.#isReady = false;
      this.#lost += 1;
      clearTimeout(this.#idle);
      for (const id of [...this.#waiting.keys()])
        this.#settle(id, (waiting) => waiting.reject(new Error('the process that started it ended')));
    };
    helper.on('error', lose);
    helper.on('disconnect', lose);
    helper.on('exit', lose);
    helper.on('message', (answer) => {
      const told = answer as HelperAnswer;
      if (told === 'ready') this.#isReady = true;
      else
        this.#settle(told.id, (waiting) =>
          'output' in told ? waiting.resolve(told.output) : waiting.reject(new Error(told.failed)),
        );
      this.#hold(helper);
    });
    this.#hold(helper);
  }

  #settle(id: number, how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (waiting) how(waiting);
  }

  /** Keeps this process alive while asked, else lets the helper end when idle. */
  #hold(helper: ChildProcess): void {
    clearTimeout(this.#idle);
    if (this.#waiting.size > 0) {
      helper.ref();
      helper.channel?.ref();
      return;
    }
    helper.unref();
    helper.channel?.unref();
    if (!this.#isReady) return;
    const sendAway = (): void => {
      this.#helper = undefined;
      this.#isReady = false;
      helper.disconnect();
    };
    this.#idle = setTimeout(sendAway, this.#idleMs).unref();
  }
}

export const gitStarter = new GitStarter(
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './gitHelper.ts' : './gitHelper.js', import.meta.url),
  ),
);
