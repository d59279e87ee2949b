import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HelperAnswer, HelperOrder } from './gitHelper.ts';
import { type GitOutput, type GitStart, runGit } from './runGit.ts';

interface Waiting {
  readonly resolve: (output: GitOutput) => void;
  readonly reject: (error: Error) => void;
}

/** So many gits are started before a helper is worth its own start. */
const before = 10;
/** After so many that died nothing is tried any more: each takes a call with it. */
const mostLost = 3;

/**
 * Starts git: the first times itself, then by a helper process. To start a process copies the tables of this
 * one's memory, which blocks the thread for 3 to 10 ms in an editor's host, and for none of a message. Where
 * there is no helper, or it dies, git is started here.
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

  /** `program`: the helper; without, git is started here. `idleMs`: time an unused helper stays. */
  constructor(program: string | undefined, { idleMs = 30_000 } = {}) {
    this.#program = program;
    this.#idleMs = idleMs;
  }

  /** Fails when git can't be started, was ended, or when the helper died: nobody knows then what git did. */
  async run(start: GitStart): Promise<GitOutput> {
    const id = ++this.#started;
    const helper = this.#helper;
    if (!helper?.connected || !this.#isReady) {
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

  /** The helper's process number, when there is one. */
  get helper(): number | undefined {
    return this.#isReady ? this.#helper?.pid : undefined;
  }

  #start(): void {
    if (this.#program === undefined || this.#helper || this.#lost >= mostLost) return;
    // The editor's own executable is a Node only when it is told so.
    const helper = spawn(process.execPath, [this.#program], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
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

  /** Keeps this process alive while it is asked, and else ends when nobody asks any more. */
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

/** The one of this process. */
export const gitStarter = new GitStarter(
  fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './gitHelper.ts' : './gitHelper.js', import.meta.url),
  ),
);
