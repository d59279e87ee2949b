import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { homedir, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const secret = 'the-victims-secret';

/**
 * A home with keys, a repository with two tickets and our state, ports and sockets that answer, and a process
 * with a key. It lies below the real home, because `/tmp` is another one in a sandbox.
 */
export class Victim {
  readonly root: string;
  readonly home: string;
  readonly repository: string;
  readonly worktree: string;
  readonly other: string;
  readonly state: string;
  readonly server: string;
  readonly sockets: string;
  readonly abstractName = `beadsmith-hostile-${String(process.pid)}`;
  readonly shared = `/dev/shm/beadsmith-hostile-${String(process.pid)}`;
  readonly address = addressOfThisMachine();
  port = 0;
  pid = 0;
  readonly #servers: Server[] = [];
  readonly #open = new Set<Socket>();
  readonly #filed: boolean;
  #process: ChildProcess | undefined;
  #connected = 0;

  /**
   * `filed`: with a ticket and the real program, which has to be built; else with files that stand for them.
   */
  constructor(filed = false) {
    this.#filed = filed;
    const cache = join(homedir(), '.cache');
    mkdirSync(cache, { recursive: true });
    this.root = realpathSync(mkdtempSync(join(cache, 'beadsmith-hostile-')));
    this.home = join(this.root, 'home');
    this.repository = join(this.root, 'shop');
    this.worktree = join(this.root, 'shop.worktrees', 'SHOP-1');
    this.other = join(this.root, 'shop.worktrees', 'SHOP-2');
    this.state = join(this.repository, '.git', 'beadsmith');
    this.server = join(this.root, 'server');
    this.sockets = join(this.root, 'sockets');
  }

  async start(): Promise<this> {
    const files: Record<string, string> = {
      [join(this.home, '.ssh', 'id_ed25519')]: `-----BEGIN ${secret}`,
      [join(this.home, '.aws', 'credentials')]: `aws_secret_access_key = ${secret}`,
      [join(this.home, '.npmrc')]: `//registry.npmjs.org/:_authToken=${secret}`,
      [join(this.home, '.netrc')]: `machine example.com password ${secret}`,
      [join(this.home, '.bashrc')]: '',
      [join(this.home, '.local', 'share', 'opencode', 'auth.json')]: JSON.stringify({
        openai: { type: 'api', key: secret },
      }),
      [join(this.root, 'neighbour', 'notes.txt')]: secret,
      [join(this.server, 'data', 'opencode', 'auth.json')]: secret,
      [join(this.server, 'data', 'opencode', 'opencode.db')]: secret,
      [join(this.server, 'cache', 'models.json')]: '{}',
      [join(this.server, 'state', 'lock')]: '',
      [join(this.server, 'shell')]: '#!/bin/sh\n',
      [join(this.sockets, 'note')]: '',
    };
    for (const [file, text] of Object.entries(files)) write(file, text);
    this.#makeRepository();
    this.#makeState();
    await this.#listen();
    await this.revive();
    writeFileSync(this.shared, secret);
    return this;
  }

  async revive(): Promise<void> {
    this.#process = spawn('sleep', ['3600'], {
      env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: secret },
      stdio: 'ignore',
    });
    await once(this.#process, 'spawn');
    this.pid = this.#process.pid ?? 0;
  }

  /** Since the last call. */
  connections(): number {
    const count = this.#connected;
    this.#connected = 0;
    return count;
  }

  processIsAlive(): boolean {
    const stat = textOf(`/proc/${String(this.pid)}/stat`);
    return stat !== '' && !stat.includes(') Z');
  }

  /** Everything that an attack may change. */
  fingerprint(): string {
    const paths = [
      'find',
      [this.home, this.state, this.other, join(this.root, 'neighbour'), join(this.repository, '.git')],
    ] as const;
    const listed = execFileSync(
      paths[0],
      [...paths[1].filter((path) => existsSync(path)), '-type', 'f', '-printf', '%p %s %T@ %m\n'],
      {
        encoding: 'utf8',
        maxBuffer: 16_000_000,
      },
    );
    // git itself writes an index when it looks.
    return listed
      .split('\n')
      .filter((line) => !/\.git\/(?:worktrees\/[^/]+\/)?index /.test(line))
      .toSorted()
      .join('\n');
  }

  async stop(): Promise<void> {
    this.#process?.kill('SIGKILL');
    for (const socket of this.#open) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(this.shared, { force: true });
    rmSync(this.root, { recursive: true, force: true });
  }

  #makeRepository(): void {
    const env = { PATH: process.env['PATH'], HOME: this.home, GIT_CONFIG_NOSYSTEM: '1' };
    mkdirSync(this.repository, { recursive: true });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=V', '-c', 'user.email=v@example.com', ...args], {
        cwd: this.repository,
        env,
        stdio: 'ignore',
      });
    git('init', '--quiet', '--initial-branch', 'main');
    write(join(this.repository, 'README.md'), 'A shop.\n');
    git('add', '.');
    git('commit', '--quiet', '-m', 'First');
    git('branch', 'release');
    for (const worktree of [this.worktree, this.other])
      git('worktree', 'add', '--quiet', '-b', `ticket/${worktree.slice(-6)}`, worktree);
    write(join(this.other, 'plan.txt'), secret);
  }

  #makeState(): void {
    if (this.#filed) {
      const dist = fileURLToPath(new URL('../../../dist/', import.meta.url));
      // An attacker brings the program along.
      cpSync(dist, join(this.worktree, 'cli'), {
        recursive: true,
        filter: (path) => !/\/(?:test|webview)(?:\/|$)|\.map$/.test(path),
      });
      const args = [
        join(this.worktree, 'cli', 'cli.js'),
        'create',
        '--title',
        'Keep',
        '--prefix',
        'SHOP',
        '--repo',
        this.repository,
      ];
      execFileSync(process.execPath, args, {
        env: { PATH: process.env['PATH'], HOME: this.home },
        stdio: 'ignore',
      });
      return;
    }
    write(join(this.state, 'state.db'), secret);
    write(join(this.state, 'owner.json'), JSON.stringify({ nonce: secret }));
    write(join(this.state, 'servers', 'main.json'), JSON.stringify({ password: secret }));
  }

  async #listen(): Promise<void> {
    const sockets = ['docker', 'bus', 'ssh-agent'].map((name) => join(this.root, `${name}.sock`));
    for (const at of [
      { port: 0, host: '0.0.0.0' },
      ...[...sockets, `\0${this.abstractName}`].map((path) => ({ path })),
    ]) {
      const server = createServer((socket) => {
        this.#connected += 1;
        this.#open.add(socket.on('error', () => undefined).on('close', () => this.#open.delete(socket)));
        socket.end('HTTP/1.0 200 OK\r\n\r\n');
      }).listen(at);
      await once(server, 'listening');
      this.#servers.push(server);
      const address = server.address();
      if (typeof address === 'object' && address) this.port = address.port;
    }
  }
}

function textOf(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function write(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
}

function addressOfThisMachine(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}
