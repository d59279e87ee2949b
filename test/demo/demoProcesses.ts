import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod';

const Listening = z.object({ url: z.string() });

/** Absolute paths. */
export interface DemoTools {
  /** Of the extension. */
  readonly root: string;
  readonly cli: string;
  /** The command line with a person at its terminal. */
  readonly person: string;
  /** A process that works on tickets as a VS Code window does. */
  readonly window: string;
  readonly scriptedModel: string;
  readonly opencode: string;
  readonly vscodeServer: string;
  /** The module of the packaged Chromium. */
  readonly browser: string;
  /** Arguments for Node. */
  readonly installEditor: readonly string[];
}

/** What a person starts, in their environment. */
interface PersonsRun {
  readonly env: Readonly<Record<string, string>>;
  readonly program: 'cli' | 'person' | 'window';
  readonly args: readonly string[];
  readonly isShown?: boolean;
}

/** `code`: an exit code, or the signal that killed it. */
export interface Printed {
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Options {
  readonly json: boolean;
  readonly latency: string;
  readonly rate: string;
}

/** Each process has its own group, so that Ctrl-C reaches it once, from here. */
export class DemoProcesses {
  readonly #tools: DemoTools;
  readonly #options: Options;
  readonly #children = new Set<ChildProcess>();
  /** Without the scripted model: it stays until its user has stopped. */
  readonly #signalled = new WeakSet<ChildProcess>();
  #stopping = false;

  constructor(tools: DemoTools, options: Options) {
    this.#tools = tools;
    this.#options = options;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        this.#stopping = true;
        for (const child of this.#children) if (this.#signalled.has(child)) child.kill(signal);
      });
    }
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Answers its base URL. */
  startModel(how: readonly string[]): Promise<string> {
    const numbers = ['--latency', this.#options.latency, '--rate', this.#options.rate];
    const args = [this.#tools.scriptedModel, ...how, ...numbers, '--with-parent'];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.#keep(child);
    return new Promise((resolve, reject) => {
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
        const [line, ...more] = out.split('\n');
        if (more.length > 0) resolve(Listening.parse(JSON.parse(line ?? '')).url);
      });
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(`The scripted model did not start (exit ${String(code)}).`)),
      );
    });
  }

  /** Answers the exit code, or the signal that killed it. */
  runCli(args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    return this.#run(this.#tools.cli, args);
  }

  /** A person confirms at the terminal. */
  runAsPerson(args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    return this.#run(this.#tools.person, args);
  }

  #run(program: string, args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    const stdio = ['ignore', this.#options.json ? 2 : 'inherit', 'inherit'] as const;
    // What the scripted model writes is known, so that no sandbox is needed.
    const env = { ...process.env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1', BEADSMITH_SCRIPTED: '1' };
    const child = spawn(process.execPath, [program, ...args], { stdio: [...stdio], env, detached: true });
    this.#keep(child);
    this.#signalled.add(child);
    return ended(child);
  }

  /** Answers what the process printed; `isShown`: as it comes, too. */
  async runFor({ env, program, args, isShown = true }: PersonsRun): Promise<Printed> {
    const whole = { ...env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1', BEADSMITH_SCRIPTED: '1' };
    const child = spawn(process.execPath, [this.#tools[program], ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: whole,
      detached: true,
    });
    this.#keep(child);
    this.#signalled.add(child);
    const printed = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        printed[name] += text;
        if (isShown) (this.#options.json || name === 'stderr' ? process.stderr : process.stdout).write(text);
      });
    const closed = new Promise((resolve) => child.once('close', resolve));
    const code = await ended(child);
    await closed;
    return { code, ...printed };
  }

  async installEditor(): Promise<void> {
    const out = this.#options.json ? 2 : 'inherit';
    const child = spawn(process.execPath, [...this.#tools.installEditor], { stdio: [out, out, 'inherit'] });
    if ((await ended(child)) !== 0) throw new Error('The editor could not be installed.');
  }

  end(): void {
    for (const child of [...this.#children].reverse()) child.kill('SIGTERM');
  }

  #keep(child: ChildProcess): void {
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
  }
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}
