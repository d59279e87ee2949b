import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export class Place {
  readonly folder: string;
  /** A kind may put it elsewhere in the folder. */
  repository: string;

  constructor(folder: string, name: string) {
    this.folder = folder;
    this.repository = join(folder, name);
  }

  begin(files: Readonly<Record<string, string>> | null): void {
    mkdirSync(this.repository, { recursive: true });
    this.git('init', '--quiet', '--initial-branch=main');
    this.identify();
    if (files === null) return;
    this.write(files);
    this.commit('First commit');
  }

  /** A row means the same on every machine. */
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

  /** Throws with what it said if it fails. */
  run(program: string, ...args: readonly string[]): string {
    return execFileSync(program, [...args], {
      cwd: this.repository,
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 256 * 1024 * 1024,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
