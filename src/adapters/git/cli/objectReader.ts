import { type ChildProcess, spawn } from 'node:child_process';

/** An object that git found: its hash, its type, and its content if that was asked for. */
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

/** Time it waits for the next question before it ends, in milliseconds. */
const idleMs = 5_000;
/** A partial clone may have to fetch an object. */
const patienceMs = 600_000;

/**
 * One `git cat-file --batch-command`, which answers many questions about objects and names of commits: to
 * start a git for each takes longer than all answers. It reads the disk for each of them, so it sees what
 * others do meanwhile. It ends by itself when nobody asks, and with this process.
 */
export class ObjectReader {
  readonly #child: ChildProcess;
  readonly #open: Question[] = [];
  #chunks: Buffer[] = [];
  #size = 0;
  /** So many bytes have to be there before there is another answer. */
  #needed = 0;
  #idle: NodeJS.Timeout | undefined;
  #ended = false;

  /** `binary` and `args` as for any other git; the arguments end with the name of the command. */
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

  /** True if it can't be asked any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Undefined if there is no such object. `name`: of an object, in one line. Fails with the process. */
  ask(command: Question['command'], name: string): Promise<FoundObject | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<FoundObject | undefined>();
    if (this.#ended) return Promise.reject(new Error('git cat-file ended'));
    this.#open.push({ command, settle: resolve, fail: reject });
    this.#hold(true);
    this.#child.stdin?.write(`${command} ${name}\n`);
    return promise;
  }

  /** Lets it end once it has answered. */
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

  /** While it is asked it keeps this process alive, and else it doesn't. */
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
  /** Of the answer that the bytes begin with, which may not be there as a whole yet. */
  readonly length: number;
  /** Reads it once it is. Undefined for anything but an object: a name of nothing, or of several. */
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
  // A copy: the piece that was received may be much larger.
  return {
    length: after + 1,
    object: () => ({ sha, type, content: Uint8Array.from(bytes.subarray(end + 1, after)) }),
  };
}
