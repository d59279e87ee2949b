import { spawn } from 'node:child_process';
import type { Evidence } from '../../../src/domain/core/evidence.ts';
import type { CommandRunner } from '../../../src/engine/ports/ports.ts';

/** Runs commands for real and remembers them; without the care of the product's own runner. */
export class PlainShell implements CommandRunner {
  readonly commands: string[] = [];

  async run(command: string, options: Parameters<CommandRunner['run']>[1]): Promise<Evidence> {
    this.commands.push(command);
    const shell = ['/bin/sh', '-c', command];
    const [file, ...args] = options.wrapper === undefined ? shell : [options.wrapper, ...shell];
    const start = performance.now();
    const child = spawn(file!, args, { cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const limit = AbortSignal.timeout(Math.min(options.timeoutMs, 4_000_000_000));
    limit.addEventListener('abort', () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output += data.toString('utf8')));
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const timedOut = limit.aborted;
    const seen = {
      head: output,
      tail: output,
      outputBytes: output.length,
      durationMs: Math.round(performance.now() - start),
    };
    return { command, cwd: options.cwd, exitCode, signal: timedOut ? 'SIGKILL' : null, timedOut, ...seen };
  }
}
