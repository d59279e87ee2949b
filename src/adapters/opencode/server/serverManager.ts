import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { redact, secretsOf } from '../../../base/redact.ts';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { sandboxProblem } from '../../../domain/environment/sandbox.ts';
import { isAlive, ownIdentity } from '../../system/processes.ts';
import { askedFile } from '../sandbox/modelRelay.ts';
import { endServer } from './endServer.ts';
import { findOpencode, opencodeVersion } from './findOpencode.ts';
import { serverFolder, ServerFiles, type ServerRecord } from './serverFiles.ts';
import { healthOf } from '../sandbox/serverHealth.ts';
import { askedFolder, prepareServer, setupHash, type GuardOrders, type ServerSetup } from './serverSetup.ts';
import { textAt, makePrivateFolder } from '../../system/files.ts';
import { variablesOf, asNode } from '../../system/commandEnvironment.ts';

export interface ServerManagerOptions extends ServerSetup {
  /** Wins over PATH and cache. */
  readonly opencodePath?: string;
  /** Milliseconds after its last use. Default: 60 s, for a window to reload. */
  readonly graceMs: number;
  /** Default: 30 s. Starting takes two, longer on a busy machine. */
  readonly startLimitMs: number;
  /** Resident bytes above which an idle server is replaced. */
  readonly maxBytes: number;
  readonly log: (message: string) => void;
}

const maxAgeMs = 12 * 3_600_000;

export class ServerManager {
  readonly #options: ServerManagerOptions;
  readonly #files: ServerFiles;
  #pending: Promise<ServerRecord> | undefined;
  #known: ServerRecord | undefined;
  #owns = false;
  #released: Promise<void> = Promise.resolve();

  constructor(options: ServerManagerOptions) {
    this.#options = options;
    this.#files = new ServerFiles(options.stateDir, options.domain);
  }

  /**
   * The server in use, a living one of an earlier process, or a new one. `idle`: it may be replaced. Throws
   * OPENCODE_MISSING, OPENCODE_VERSION, OPENCODE_START_FAILED.
   */
  async server(idle: boolean): Promise<ServerRecord> {
    if (this.#pending) return this.#pending;
    const found = await this.living();
    if (found && this.#owns && found.nonce === this.#known?.nonce && !(found.recycle && idle)) return found;
    this.#pending ??= this.#locked(idle).finally(() => (this.#pending = undefined));
    return this.#pending;
  }

  async living(): Promise<ServerRecord | undefined> {
    const record = await this.#files.read();
    return record && (await isAlive(record.server)) ? record : undefined;
  }

  async allow(provider: string): Promise<void> {
    if (!this.#options.serverSandbox) return;
    const folder = askedFolder(this.#options);
    await makePrivateFolder(folder);
    await writeFile(askedFile(folder, provider), '');
  }

  /** Its guard ends it after the grace. */
  release(): void {
    if (!this.#owns) return;
    this.#owns = false;
    this.#released = this.#files.disown().catch(() => undefined);
  }

  /** Ends it unless another process uses it; with `keep` only releases it. */
  async stop(keep: boolean): Promise<void> {
    await this.#pending?.catch(() => undefined);
    const known = this.#known;
    this.#known = undefined;
    this.#owns = false;
    await this.#files.disown();
    if (known === undefined || keep || (await this.#files.inUse('all'))) return;
    const record = await this.#files.read();
    if (record?.nonce === known.nonce) await endServer(this.#files, record);
  }

  async #locked(idle: boolean): Promise<ServerRecord> {
    const limit = this.#options.startLimitMs;
    const busy = () => this.#failed('another process has been starting it for too long');
    // It could remove what is written next.
    await this.#released;
    this.#owns = true;
    try {
      this.#known = await this.#files.locked(() => this.#adoptOrStart(idle), { patienceMs: limit * 2, busy });
      return this.#known;
    } catch (error) {
      this.release();
      throw error;
    }
  }

  async #adoptOrStart(idle: boolean): Promise<ServerRecord> {
    const configHash = await setupHash(this.#options);
    const record = await this.#files.read();
    if (record) {
      // Before the check, so that its guard keeps it meanwhile.
      await this.#files.own();
      if (await this.#adoptable(record, configHash, idle)) {
        this.#options.log(`OpenCode ${record.version}: adopted the server of process ${record.server.pid}`);
        return record;
      }
      await endServer(this.#files, record);
    }
    return this.#start(configHash);
  }

  async #adoptable(record: ServerRecord, configHash: string, idle: boolean): Promise<boolean> {
    if (!(await isAlive(record.server)) || !(await isAlive(record.guard))) return false;
    // Another process's server is kept, whatever its configuration.
    const alone = !(await this.#files.inUse('others'));
    if (alone && (record.configHash !== configHash || (record.recycle && idle))) return false;
    return (await healthOf(record)) === opencodeVersion && (await this.#files.read())?.nonce === record.nonce;
  }

  async #start(configHash: string): Promise<ServerRecord> {
    const options = this.#options;
    const setting = options.opencodePath;
    const binary = await findOpencode({
      env: options.env,
      inside: options.inside ?? [],
      ...(setting === undefined ? {} : { setting }),
    });
    const { program, nonce, ...prepared } = await prepareServer(options, binary);
    const starter = await ownIdentity();
    await this.#files.own();
    const logFile = join(options.stateDir, 'logs', `opencode-${options.domain}.log`);
    const { stateDir, domain, graceMs, startLimitMs, maxBytes } = options;
    const limits = { graceMs, startLimitMs, maxBytes, maxAgeMs };
    const named = { stateDir, domain, configHash, nonce, version: opencodeVersion, logFile, starter };
    const reason = await startGuard({ ...prepared, ...limits, ...named, binary: program }, options.env);
    if (reason !== undefined) throw this.#failed(reason, await this.#logTail(logFile));
    const record = await this.#files.read();
    if (record?.nonce !== nonce) throw this.#failed('its record is missing', await this.#logTail(logFile));
    const health = await healthOf(record);
    if (health !== opencodeVersion) {
      await endServer(this.#files, record);
      if (health === undefined) throw this.#failed('it does not answer', await this.#logTail(logFile));
      throw new BeadsmithError('OPENCODE_VERSION', { found: health, path: binary, wanted: opencodeVersion });
    }
    options.log(
      `OpenCode ${record.version}: started as process ${record.server.pid}, sessions in ${serverFolder(options)}`,
    );
    return record;
  }

  #failed(reason: string, log = ''): BeadsmithError {
    // The log also has earlier starts.
    const broken = sandboxProblem(log.trimEnd().split('\n').at(-1) ?? '');
    if (broken !== undefined)
      return new BeadsmithError('SANDBOX_FAILED', { reason: broken }, { diagnostics: { log } });
    return new BeadsmithError('OPENCODE_START_FAILED', { reason }, { diagnostics: { log } });
  }

  async #logTail(file: string): Promise<string> {
    const text = await textAt(file);
    return redact(text.slice(-4_000), { secrets: secretsOf(this.#options.config) });
  }
}

async function startGuard(orders: GuardOrders, own: ServerSetup['env']): Promise<string | undefined> {
  const child = spawn(process.execPath, [guardProgram()], {
    env: { ...variablesOf(own, guardVariables), ...asNode },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
    windowsHide: true,
  });
  let timer: NodeJS.Timeout | undefined;
  const answer = new Promise<string | undefined>((resolve) => {
    let text = '';
    timer = setTimeout(() => resolve('its guard does not answer'), orders.startLimitMs + 5_000);
    child.on('error', (error) => resolve(error.message));
    child.on('exit', () => resolve('its guard ended'));
    child.stdout.on('data', (chunk: Uint8Array) => {
      text += Buffer.from(chunk).toString('utf8');
      if (!text.includes('\n')) return;
      const parsed = Answer.safeParse(JSON.parse(text));
      resolve(
        parsed.success ? (parsed.data.ok ? undefined : parsed.data.reason) : 'its guard answered nonsense',
      );
    });
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(orders));
  const reason = await answer;
  clearTimeout(timer);
  if (reason !== undefined) child.kill('SIGTERM');
  child.stdout.destroy();
  child.unref();
  return reason;
}

const guardVariables = 'PATH HOME TMPDIR TEMP SystemRoot USERPROFILE NODE_EXTRA_CA_CERTS'.split(' ');

const Answer = z.union([
  z.object({ ok: z.literal(true) }),
  z.object({ ok: z.literal(false), reason: z.string() }),
]);

function guardProgram(): string {
  const here = import.meta.url;
  const name = here.endsWith('.ts') ? './guard.ts' : './opencodeGuard.js';
  const path = fileURLToPath(new URL(name, here));
  if (!existsSync(path)) throw new BeadsmithError('OPENCODE_START_FAILED', { reason: `${path} is missing` });
  return path;
}
