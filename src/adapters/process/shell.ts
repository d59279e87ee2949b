import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isAbsolute, join } from 'node:path';
import { refusedHosts } from '../../domain/environment/refusedNetwork.ts';
import { isRefusedVariable } from '../../domain/environment/variables.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { Evidence } from '../../domain/core/evidence.ts';
import { excerptOf, type LongOutput, readLongOutput } from '../../domain/proof/failureExcerpt.ts';
import { readTestResults } from '../../domain/proof/testResults.ts';
import { ActiveTimer } from '../../engine/run/activeTimer.ts';
import { type SandboxGap, sandboxProblem } from '../../domain/environment/sandbox.ts';
import type { Clock, CommandRunner, CommandSecrets } from '../../engine/ports/ports.ts';
import type { SandboxPolicy, Program, Sandbox } from '../../engine/ports/sandboxPort.ts';
import { commandEnvironment, type Environment } from '../system/commandEnvironment.ts';
import { askMarked, endMarked, signal } from '../system/processTree.ts';
import { markOf, startMarked } from '../system/startedBy.ts';
import { OutputWindow } from '../system/outputWindow.ts';
import { openRegistryWay, type RegistryWay } from '../system/relay/ways.ts';
import { commandVariable, type RunningCommands } from './runningCommands.ts';
import { secretsIn } from '../../domain/environment/inputs.ts';
import { reasonOf, lstatAt, statAt, textAt } from '../system/files.ts';

type RunOptions = Parameters<CommandRunner['run']>[1];

interface ShellOptions {
  /** Default: this process's. Only a part reaches the command. */
  readonly environment?: Environment;
  /** Milliseconds between SIGTERM and SIGKILL. Default: 2,000. */
  readonly graceMs?: number;
  /** Confines commands. Default: nothing does. */
  readonly sandbox?: Sandbox;
  readonly policyFor?: (options: RunOptions) => Promise<SandboxPolicy>;
  /** Hosts for setup, besides the usual registries. */
  readonly sandboxHosts?: readonly string[];
  readonly readTests?: (text: string) => Promise<LongOutput | undefined>;
  readonly running?: RunningCommands;
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
}

/**
 * The only shell: `/bin/sh -c TEXT` (docs/decisions/030-engine-runs-the-checks.md), by the setup wrapper and
 * in the ticket's sandbox if there are any (docs/decisions/105-the-sandbox.md). All it started ends with it:
 * its process group, and what carries its variable. Secrets are taken out of its output
 * (docs/decisions/112-secrets-in-outputs.md). A command that couldn't start has `exitCode` null and the
 * reason as output. `run` throws SANDBOX_FAILED.
 */
export class Shell implements CommandRunner {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #source: Environment;
  readonly #graceMs: number;
  readonly #running: RunningCommands | undefined;
  readonly #options: Pick<ShellOptions, 'sandbox' | 'policyFor' | 'sandboxHosts'>;
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #readTests: (text: string) => Promise<LongOutput | undefined>;

  constructor(options: ShellOptions) {
    this.#source = options.environment ?? process.env;
    this.#environment = commandEnvironment(this.#source);
    this.#graceMs = options.graceMs ?? 2_000;
    this.#running = options.running;
    this.#clock = options.clock;
    this.#readTests = options.readTests ?? ((text) => Promise.resolve(readLongOutput(text)));
    this.#options = options;
  }

  get unsandboxed(): SandboxGap | undefined {
    return this.#options.sandbox?.gap;
  }

  async run(command: string, options: RunOptions): Promise<Evidence> {
    const output = new OutputWindow();
    const whole = new OutputWindow(longestRead);
    const start = performance.now();
    const problem = await problemWith(command, options);
    const passed = this.#passed(options.allowed?.variables ?? []);
    const secrets = [...Object.values(passed), ...(await privateTexts(options))];
    const nonce = randomUUID();
    const started =
      problem ?? (await this.#sandboxed(command, options, { ...passed, [commandVariable]: nonce }));
    const end =
      typeof started === 'string'
        ? { ...neverStarted, remark: started }
        : await this.#spawn(started.program, options, { outputs: [output, whole], nonce });
    const refused = typeof started === 'string' ? undefined : await started.end?.();
    for (const remark of [refused, end.remark])
      if (remark !== undefined) output.add(Buffer.from(`${remark}\n`));
    const { head, tail, outputBytes } = output.read(secrets);
    const failed = end.timedOut || (end.exitCode !== null && end.exitCode !== 0);
    const broken = failed && this.#options.sandbox?.kind === 'bubblewrap' ? sandboxProblem(head) : undefined;
    if (broken !== undefined) throw new BeadsmithError('SANDBOX_FAILED', { reason: broken });
    const isOffline = failed && typeof started !== 'string' && started.isOffline === true;
    const unreachable = isOffline ? refusedHosts(`${head}\n${tail}`) : undefined;
    const { excerpt, ...tests } =
      (output.isCut() ? await this.#readTests(textOf(whole, secrets)) : shortOutput(head, tail, failed)) ??
      {};
    return {
      command,
      cwd: options.cwd,
      exitCode: end.exitCode,
      signal: end.signal,
      timedOut: end.timedOut,
      durationMs: Math.round(performance.now() - start),
      outputBytes,
      head,
      tail,
      ...('tool' in tests ? { tests } : {}),
      ...(excerpt === undefined ? {} : { excerpt }),
      ...(unreachable ? { unreachable: [...unreachable] } : {}),
    };
  }

  #passed(names: readonly string[]): Record<string, string> {
    const values: Record<string, string> = {};
    for (const name of names) {
      const value = this.#source[name];
      if (value !== undefined && !isRefusedVariable(name)) values[name] = value;
    }
    return values;
  }

  /** Throws SANDBOX_FAILED. */
  async #sandboxed(
    command: string,
    options: RunOptions,
    variables: Readonly<Record<string, string>>,
  ): Promise<Started> {
    const [program, ...args] =
      options.wrapper === undefined ? shell(command) : [options.wrapper, ...shell(command)];
    const plain = { program, args, env: { ...this.#environment, ...variables } };
    const { sandbox, policyFor, sandboxHosts = [] } = this.#options;
    if (!sandbox || !policyFor) return { program: plain };
    let way: RegistryWay | undefined;
    try {
      const policy = await policyFor(options);
      if (sandbox.kind === 'none' || policy.domain !== 'setup') {
        const isOffline = sandbox.kind !== 'none' && policy.network === 'none';
        return { program: await sandbox.wrap(plain, policy), isOffline };
      }
      way = await openRegistryWay(plain, policy, { env: this.#source, sandboxHosts });
      return { program: await sandbox.wrap(way.program, way.policy), end: way.end, isOffline: true };
    } catch (error) {
      await way?.end();
      if (error instanceof BeadsmithError) throw error;
      throw new BeadsmithError('SANDBOX_FAILED', { reason: reasonOf(error) }, { cause: error });
    }
  }

  #spawn(
    { program, args, env }: Program,
    options: RunOptions,
    { outputs, nonce }: { readonly outputs: readonly OutputWindow[]; readonly nonce: string },
  ): Promise<End> {
    const { promise, resolve } = Promise.withResolvers<End>();
    const child = spawn(...startMarked(program, args, nonce), {
      cwd: options.cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const noted = child.pid === undefined ? undefined : this.#running?.note(child.pid, nonce);
    const add = (piece: Buffer) => {
      for (const output of outputs) output.add(piece);
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);

    let swept: Promise<void> | undefined;
    const sweep = (): Promise<void> => (swept ??= endMarked(commandVariable, nonce, [markOf(nonce)]));
    let timedOut = false;
    let aborted = false;
    let stopping: NodeJS.Timeout | undefined;
    const stop = () => {
      stopping ??= this.#stop(child, nonce);
    };
    const abort = () => {
      aborted = true;
      stop();
    };
    // The machine's sleep doesn't count.
    const limit = new ActiveTimer({
      clock: this.#clock,
      limitMs: options.timeoutMs,
      alreadyMs: 0,
      onExpire: () => {
        timedOut = true;
        stop();
      },
      save: () => Promise.resolve(),
    });
    void limit.start();
    options.signal?.addEventListener('abort', abort);
    // It may have come while the sandbox was made.
    if (options.signal?.aborted === true) abort();
    const settle = (end: Omit<End, 'timedOut'>) => {
      limit.end();
      clearTimeout(stopping);
      options.signal?.removeEventListener('abort', abort);
      const settled = { ...end, timedOut };
      void sweep()
        .then(() => noted)
        .then((forget) => forget?.())
        .then(() => resolve(settled));
    };
    child.on('error', (error) =>
      settle({ ...neverStarted, remark: `${program} could not be started: ${error.message}` }),
    );
    child.on('exit', () => {
      // What is left running would keep the output open and change the worktree.
      signalGroup(child, 'SIGKILL');
      void sweep();
      stopping ??= setTimeout(() => closeOutput(child), this.#graceMs);
    });
    child.on('close', (exitCode, signal) => {
      if (timedOut)
        settle({ exitCode, signal, remark: `Ended by Beadsmith after ${options.timeoutMs / 1_000} s.` });
      // A stopped command has no result, even if it exits with 0.
      else if (aborted)
        settle({ exitCode: null, signal: signal ?? 'SIGTERM', remark: 'Stopped by Beadsmith.' });
      else settle({ exitCode, signal });
    });
    return promise;
  }

  /**
   * Asks a command to end, and kills it after the grace. The sandbox's program isn't asked: all inside would
   * end at once.
   */
  #stop(child: ChildProcess, nonce: string): NodeJS.Timeout {
    if (this.#options.sandbox?.kind === 'bubblewrap') void askMarked(commandVariable, nonce, 'bwrap');
    else signalGroup(child, 'SIGTERM');
    return setTimeout(() => {
      signalGroup(child, 'SIGKILL');
      closeOutput(child);
    }, this.#graceMs);
  }
}

interface Started {
  readonly program: Program;
  readonly end?: RegistryWay['end'];
  readonly isOffline?: boolean;
}

interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly remark?: string;
}

const neverStarted: End = { exitCode: null, signal: null, timedOut: false };

/** Bytes of a file whose lines are looked for in an output. */
const largestFile = 64 * 1024;

async function privateTexts({
  cwd,
  allowed,
}: {
  readonly cwd: string;
  readonly allowed?: CommandSecrets;
}): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const path of allowed?.files ?? []) {
    const file = join(cwd, path);
    const found = await statAt(file);
    if (found?.isFile() !== true || found.size > largestFile) continue;
    texts.push(...secretsIn(await textAt(file)));
  }
  return texts;
}

/** Bytes of each end of an output that are searched for results of tests. */
const longestRead = 2 * 1024 * 1024;

function textOf(whole: OutputWindow, secrets: readonly string[]): string {
  const { head, tail } = whole.read(secrets);
  return `${head}${tail}`;
}

/** Tests of a short output are read where needed. Some tools exit with 0 although tests failed. */
function shortOutput(head: string, tail: string, failed: boolean): { readonly excerpt: string | undefined } {
  const text = `${head}${tail}`;
  return { excerpt: failed || (readTestResults(text)?.failed.length ?? 0) > 0 ? excerptOf(text) : undefined };
}

function shell(command: string): [string, ...string[]] {
  return ['/bin/sh', '-c', command];
}

async function problemWith(
  command: string,
  { cwd, wrapper, signal }: RunOptions,
): Promise<string | undefined> {
  if (signal?.aborted === true) return 'It was stopped before it was started.';
  if (command.includes('\0')) return 'The command contains a NUL character.';
  const folder = await statAt(cwd);
  if (!isAbsolute(cwd) || !folder?.isDirectory()) return `${cwd} is no folder.`;
  if (wrapper === undefined) return undefined;
  const file = await lstatAt(wrapper);
  if (!isAbsolute(wrapper) || file?.isFile() !== true) return `The wrapper ${wrapper} is missing.`;
  return (file.mode & 0o111) === 0
    ? `The wrapper ${wrapper} could not be started: it isn't executable.`
    : undefined;
}

/** A process that left the group may keep it open. */
function closeOutput(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid !== undefined) signal({ pid: -child.pid }, name);
}
