import { spawn } from 'node:child_process';
import type { Evidence } from '../../../src/domain/core/evidence.ts';
import type { CommandRunner, TicketFiles } from '../../../src/engine/ports/ports.ts';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Runs commands for real and remembers them. */
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

/** `.ticket/` on the disk, without the care of the product's own adapter. */
export class PlainFiles implements TicketFiles {
  async write(
    worktree: string,
    path: string,
    content: string,
    options: { readonly executable?: boolean } = {},
  ): Promise<void> {
    await mkdir(dirname(join(worktree, path)), { recursive: true });
    await writeFile(join(worktree, path), content, { mode: options.executable ? 0o755 : 0o644 });
  }

  async append(worktree: string, path: string, content: string): Promise<void> {
    await appendFile(join(worktree, path), content);
  }

  async read(worktree: string, path: string): Promise<string | undefined> {
    return existsSync(join(worktree, path)) ? readFile(join(worktree, path), 'utf8') : undefined;
  }

  async remove(worktree: string, path: string): Promise<void> {
    await rm(join(worktree, path), { recursive: true, force: true });
  }

  async exists(worktree: string, path: string): Promise<boolean> {
    return existsSync(join(worktree, path));
  }
}
