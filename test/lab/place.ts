import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a row happens: a folder of its own with the person's checkout in it. */
export class Place {
  readonly folder: string;
  /** The person's checkout. A kind may put it elsewhere in the folder. */
  repository: string;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.repository = join(folder, name);
  }

  /** Makes the repository, with a first commit of these files if there are any. */
  begin(files: Readonly<Record<string, string>> | null): void {
    mkdirSync(this.repository, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
    this.identify();
    if (files === null) return;
    this.write(files);
    this.commit('First commit');
  }

  /** Who commits is in the repository's own configuration, so that a row means the same on every machine. */
  identify(): void {
    for (const [name, value] of [
      ['user.name', 'Ada Tester'],
      ['user.email', 'ada@example.invalid'],
      ['commit.gpgsign', 'false'],
    ] as const)
      this.git('config', name, value);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.repository, path)), { recursive: true });
      writeFileSync(join(this.repository, path), content);
    }
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  git(...args: readonly string[]): string {
    return this.run('git', ...args);
  }

  /** Runs a program in the checkout. Throws with what it said if it fails. */
  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, [...args], {
      cwd: this.repository,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 256 * 1024 * 1024,
    });
  }

  /** As `run`, with this on its standard input. */
  feed(input: string, program: string, ...args: readonly string[]): void {
    execFileSync(program, [...args], { cwd: this.repository, input, stdio: ['pipe', 'pipe', 'pipe'] });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
