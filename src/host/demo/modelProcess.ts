import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { BeadsmithError } from '../../domain/core/errors.ts';

/** A running scripted model. */
export interface ModelProcess {
  /** The base URL of a provider. */
  readonly url: string;
  readonly pid: number;
  isRunning(): boolean;
  end(): Promise<void>;
}

/** A person wants to see that something happens between two answers. */
const latencyMs = 250;
const startLimitMs = 30_000;
const Listening = z.object({ url: z.url(), pid: z.int() });

/**
 * Starts the scripted model as a process of its own, which ends with this one, however that ends. `port` 0:
 * any free one. DEMO_MODEL_FAILED.
 */
export async function startModelProcess(port: number): Promise<ModelProcess> {
  const args = [program(), '--demo', '--port', String(port), '--latency', String(latencyMs), '--with-parent'];
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, args, {
    // The editor's own executable is a Node only when it is told so.
    env: { PATH, SystemRoot, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  // The process ends with its standard input; then no reader of this output is left either.
  child.stdin.on('error', () => undefined);
  const started = Promise.withResolvers<string>();
  let [out, said] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (out.includes('\n')) started.resolve(out);
  });
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, 1_000)));
  child.once('error', started.reject);
  child.once('close', (code) =>
    started.reject(new Error(said.split('\n')[0] || `it ended with ${String(code)}`)),
  );
  const timer = setTimeout(() => started.reject(new Error('it does not answer')), startLimitMs);
  try {
    return {
      ...Listening.parse(JSON.parse(await started.promise)),
      isRunning: () => isRunning(child),
      end: () => end(child),
    };
  } catch (error) {
    await end(child);
    throw new BeadsmithError('DEMO_MODEL_FAILED', {
      reason: error instanceof Error ? error.message : String(error),
    });
  } finally {
    clearTimeout(timer);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.stdin?.end();
  child.kill('SIGTERM');
  const isGone = await Promise.race([gone.then(() => true), pause(3_000, false)]);
  if (!isGone) child.kill('SIGKILL');
}

/** Beside this file in the bundle, and in the sources. */
function program(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../demo/main.ts' : './scriptedModel.js', here));
}
