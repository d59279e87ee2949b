import { spawn } from 'node:child_process';
import { lastLines } from '../../base/lastLines.ts';
import { signal } from '../system/processTree.ts';

/** Bytes of an output that are kept. */
const mostOutput = 16_384;
/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 2_000;

interface Run {
  readonly program: string;
  /** Its standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which it is ended, with its process group. */
  readonly limitMs: number;
  readonly ending?: AbortSignal;
}

/**
 * Runs a program that the owner of this machine named, without a shell and without arguments: whatever texts
 * it is told of are its input. Returns why it failed, undefined if it didn't.
 */
export function runOwnProgram({ program, input, env, limitMs, ending }: Run): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const child = spawn(program, [], {
    env: { ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const end = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined) signal({ pid: process.platform === 'win32' ? child.pid : -child.pid }, name);
  };
  let said = '';
  let reason: string | undefined;
  let last: NodeJS.Timeout | undefined;
  const stop = (why: string): void => {
    reason ??= why;
    end('SIGTERM');
    last ??= setTimeout(() => end('SIGKILL'), graceMs);
  };
  const limit = setTimeout(() => stop(`it was ended after ${String(limitMs / 1_000)} seconds`), limitMs);
  const onAbort = (): void => stop('the server ends');
  ending?.addEventListener('abort', onAbort);
  const settle = (why: string | undefined): void => {
    clearTimeout(limit);
    clearTimeout(last);
    ending?.removeEventListener('abort', onAbort);
    // What it started and left behind.
    end('SIGKILL');
    child.stderr.destroy();
    resolve(why);
  };
  child.stderr.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-mostOutput);
  });
  // A program may not want to read it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  child.on('error', (error) => settle(error.message));
  child.on('exit', (code, name) => {
    if (reason !== undefined) settle(reason);
    else if (code === 0) settle(undefined);
    else
      settle(
        `it ended with ${code === null ? String(name) : `exit code ${String(code)}`}: ${lastLines(said)}`,
      );
  });
  if (ending?.aborted === true) onAbort();
  return promise;
}
