import { spawn } from 'node:child_process';
import type { Evidence } from '../../../src/domain/evidence.ts';
import type { CommandRunner } from '../../../src/engine/ports/ports.ts';

/** Runs commands for real and remembers them; without the care of the product's own runner. */
export class PlainShell implements CommandRunner {
  readonly commands: string[] = [];

  async run(command: string, options: { readonly cwd: string; readonly wrapper?: string }): Promise<Evidence> {
    this.commands.push(command);
    const shell = ['/bin/sh', '-c', command];
    const [file, ...args] = options.wrapper === undefined ? shell : [options.wrapper, ...shell];
    const child = spawn(file!, args, { cwd: options.cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString('utf8')));
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    const seen = { head: output, tail: output, outputBytes: output.length, durationMs: 1 };
    return { command, cwd: options.cwd, exitCode, signal: null, timedOut: false, ...seen };
  }
}
