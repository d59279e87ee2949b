import { type ChildProcess, spawn } from 'node:child_process';

export interface FoundObject {
  readonly sha: string;
  readonly type: string;
  readonly content?: Uint8Array;
}

interface Question {
  readonly command: 'info' | 'contents';
  readonly settle: (answer: FoundObject | undefined) => void;
  readonly fail: (error: Error) => void;
}

/** Idle milliseconds before it ends. */
const idleMs = 5_000;
/** A partial clone may have to fetch an object. */
const patienceMs = 600_000;

/**
 * One `git cat-file --batch-command` for many questions, faster than a git for each. It reads the disk each
 * time, and ends when idle or with this process.
 */
export class ObjectReader {
  readonly #child: ChildProcess;
  readonly #open: Question[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  #needed = 0;
  #idle: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(
    binary: string,
    args: readonly string[],
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    this.#child = spawn(binary, [...args, '--batch-command'], {
      ...options,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('close', () => this.#fail(new Error('git cat-file ended')));
    this.#child.stdin?.on('error', (error) => this.#fail(error));
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#hold(false);
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Undefined if there is no such object. `name`: one line. Fails with the process. */
  ask(command: Question['command'], name: string): Promise<FoundObject | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<FoundObject | undefined>();
    if (this.#ended) return Promise.reject(new Error('git cat-file ended'));
    this.#open.push({ command, settle: resolve, fail: reject });
    this.#hold(true);
    this.#child.stdin?.write(`${command} ${name}\n`);
    return promise;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#idle);
    this.#child.stdin?.end();
  }

  #read(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size < this.#needed) return;
    const received = Buffer.concat(this.#chunks);
    let at = 0;
    for (let next = this.#open[0]; next !== undefined; next = this.#open[0]) {
      const taken = take(received.subarray(at), next.command);
      this.#needed = taken.length;
      if (at + taken.length > received.length) break;
      at += taken.length;
      this.#needed = 0;
      this.#open.shift();
      next.settle(taken.object?.());
    }
    const rest = received.subarray(at);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    if (this.#open.length === 0) this.#hold(false);
  }

  #hold(asked: boolean): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(
      () => (asked ? this.#child.kill('SIGKILL') : this.end()),
      asked ? patienceMs : idleMs,
    );
    const parts = [this.#child, this.#child.stdin, this.#child.stdout, this.#idle];
    for (const part of parts as readonly ({ ref?: () => unknown; unref?: () => unknown } | null)[]) {
      if (asked) part?.ref?.();
      else part?.unref?.();
    }
  }

  #fail(error: Error): void {
    this.#ended = true;
    clearTimeout(this.#idle);
    for (const question of this.#open.splice(0)) question.fail(error);
  }
}

interface Taken {
  readonly length: number;
  /** Reads it. Undefined for anything but one object. */
  readonly object?: () => FoundObject;
}

function take(bytes: Buffer, command: Question['command']): Taken {
  const end = bytes.indexOf(0x0a);
  if (end < 0) return { length: bytes.length + 1 };
  const [, sha, type = '', size = ''] =
    /^([0-9a-f]{40,64}) ([a-z]+) (\d+)$/.exec(bytes.toString('latin1', 0, end)) ?? [];
  if (sha === undefined) return { length: end + 1 };
  if (command === 'info') return { length: end + 1, object: () => ({ sha, type }) };
  const after = end + 1 + Number(size);
  // A copy: the received piece may be much larger.
  return {
    length: after + 1,
    object: () => ({ sha, type, content: Uint8Array.from(bytes.subarray(end + 1, after)) }),
  };
}
