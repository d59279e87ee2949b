import { randomBytes } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, open, readFile, rename, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endLeft, endTree, familyBytes, residentBytes } from '../../system/processTree.ts';
import { type ProcessIdentity, identityOf, isAlive, ownIdentity } from '../../system/processes.ts';
import { Relays } from '../sandbox/relays.ts';
import { ServerFiles, type ServerRecord, Grace } from './serverFiles.ts';
import type { GuardOrders } from './serverSetup.ts';
import { startMarked } from '../../system/startedBy.ts';
import { reasonOf, makePrivateFolder, statAt } from '../../system/files.ts';

export type GuardAnswer = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** `stopped` settles when the guard is to end its server. */
interface GuardTies {
  readonly stopped: Promise<void>;
  readonly answer: (answer: GuardAnswer) => void;
}

export async function runGuard(orders: GuardOrders, { stopped, answer }: GuardTies): Promise<void> {
  const files = new ServerFiles(orders.stateDir, orders.domain);
  const over = new AbortController();
  let server: ProcessIdentity | undefined;
  let log: Awaited<ReturnType<typeof openLog>> | undefined;
  let relays: Relays | undefined;
  try {
    const guard = await ownIdentity();
    const password = randomBytes(32).toString('base64url');
    log = await openLog(orders.logFile);
    relays = orders.sandbox && (await Relays.open(orders.sandbox, password, log.write));
    const port = orders.sandbox?.port ?? (await freePort());
    const child = spawnServer(orders, { password: relays?.innerPassword ?? password, port, log: log.fd });
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal ?? 'nothing'}`));
    });
    server = child.pid === undefined ? undefined : await identityOf(child.pid);
    const printed = await Promise.race([
      listeningUrl(orders, { port, offset: log.offset, over: over.signal }),
      exited.then((why) => Promise.reject(new Error(why))),
      stopped.then(() => Promise.reject(new Error('it was stopped'))),
    ]);
    if (!server) throw new Error('its process was not found');
    const url = (await relays?.openInward()) ?? printed;
    // The next server's record would be replaced.
    if (!(await isAlive(orders.starter))) throw new Error('who started it has ended');
    const { version, configHash, nonce } = orders;
    const [started, startedAt] = [{ url, password, guard, server }, Date.now()];
    const record = { schema: 2, ...started, version, configHash, nonce, startedAt, recycle: false } as const;
    await files.write(record);
    answer({ ok: true });
    await Promise.race([watch(orders, { files, record, over: over.signal }), exited, stopped]);
  } catch (error) {
    answer({ ok: false, reason: reasonOf(error) });
  } finally {
    // Pending waits end, and write no record.
    over.abort();
    // The record goes first: nobody adopts a server that is ending.
    await files.remove(orders.nonce);
    await endTree(server, orders.nonce);
    await endLeft(orders.nonce, files.toolNotes);
    await files.tidy(orders.nonce);
    await relays?.close();
    await log?.close();
    if (orders.sandbox) await rm(orders.sandbox.sockets, { recursive: true, force: true });
  }
}

/** A free port. Two servers may share a log after a driver was killed: the port tells their lines apart. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function spawnServer(
  orders: GuardOrders,
  { password, port, log }: { readonly password: string; readonly port: number; readonly log: number },
): ChildProcess {
  const words = orders.sandbox?.args ?? ['serve', '--hostname', '127.0.0.1', '--port', String(port)];
  return spawn(...startMarked(orders.binary, words), {
    cwd: orders.folder,
    env: { ...orders.env, OPENCODE_SERVER_PASSWORD: password },
    // To a file: a server must not die of a full or broken pipe.
    stdio: ['ignore', log, log],
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
}

interface Watched {
  readonly files: ServerFiles;
  readonly record: ServerRecord;
  readonly over: AbortSignal;
}

/** Waits until nobody used it for the whole grace, or another took its place. */
async function watch(orders: GuardOrders, { files, record, over }: Watched): Promise<void> {
  const tick = Math.min(1_000, Math.max(50, orders.graceMs / 4));
  const grace = new Grace(orders.graceMs);
  let recycle = false;
  for (let count = 0; ; count++) {
    await pause(tick, undefined, { signal: over });
    if (!(await isAlive(record.server))) return;
    if ((await files.read())?.nonce !== orders.nonce) return;
    if (grace.isOver(await files.inUse('all'), performance.now()) && (await withdrawn(files, orders.nonce)))
      return;
    if (recycle || count % 10 !== 0) continue;
    const grown = (await (orders.sandbox ? familyBytes : residentBytes)(record.server.pid)) > orders.maxBytes;
    recycle = grown || Date.now() - record.startedAt > orders.maxAgeMs;
    over.throwIfAborted();
    if (recycle) await files.write({ ...record, recycle });
  }
}

/** Removes an unused server's record, under the lock of those who adopt it. */
async function withdrawn(files: ServerFiles, nonce: string): Promise<boolean> {
  const busy = () => new Error('another process is adopting it');
  const work = async (): Promise<boolean> => {
    if (await files.inUse('all')) return false;
    await files.remove(nonce);
    return true;
  };
  return files.locked(work, { patienceMs: 0, busy }).catch(() => false);
}

async function openLog(file: string) {
  await makePrivateFolder(dirname(file));
  const size = (await statAt(file))?.size ?? 0;
  if (size > 5_000_000) await rename(file, `${file}.1`);
  const handle = await open(file, 'a', 0o600);
  await chmod(file, 0o600);
  // A note that can't be written, as on a full disk, must not end the server.
  const write = (text: string) => void handle.write(text).catch(() => undefined);
  return { fd: handle.fd, offset: size > 5_000_000 ? 0 : size, write, close: () => handle.close() };
}

/** Waits for its printed line: it accepts connections before it can answer. */
async function listeningUrl(
  orders: GuardOrders,
  { port, offset, over }: { readonly port: number; readonly offset: number; readonly over: AbortSignal },
): Promise<string> {
  const deadline = performance.now() + orders.startLimitMs;
  while (performance.now() < deadline) {
    const text = (await readFile(orders.logFile)).subarray(offset).toString('utf8');
    const url = new RegExp(`listening on (http://\\S+:${port})\\s`).exec(text)?.[1];
    if (url !== undefined) return url;
    await pause(20, undefined, { signal: over });
  }
  throw new Error(`it was not ready after ${orders.startLimitMs / 1_000} s`);
}
