import { type ChildProcess, spawn } from 'node:child_process';
import * as z from 'zod';

const Listening = z.object({ url: z.string() });

/** The programs and folders of a checkout that the demo needs, as absolute paths. */
export interface DemoTools {
  /** The folder of the extension. */
  readonly root: string;
  /** The command line, built. */
  readonly cli: string;
  /** The command line with a person at its terminal. */
  readonly person: string;
  /** The scripted model, built. */
  readonly scriptedModel: string;
  readonly opencode: string;
  readonly vscodeServer: string;
  /** The module of the packaged Chromium. */
  readonly browser: string;
  /** Arguments for Node, which install the two above. */
  readonly installEditor: readonly string[];
}

interface Options {
  readonly json: boolean;
  readonly latency: string;
  readonly rate: string;
}

/** The processes of a demo, each in a group of its own, so that a Ctrl-C reaches it once, from here. */
export class DemoProcesses {
  readonly #tools: DemoTools;
  readonly #options: Options;
  /** Newest last; ended in reverse. */
  readonly #children = new Set<ChildProcess>();
  /** The scripted model is not among them: it stays until the tool that uses it has stopped. */
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

  /** A signal came. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Starts a scripted model, and answers its base URL. */
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

  /** Runs the command line to its end, and answers its exit code or what killed it. */
  runCli(args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    return this.#run(this.#tools.cli, args);
  }

  /** Runs it as a person does, who confirms what it asks at the terminal. */
  runAsPerson(args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    return this.#run(this.#tools.person, args);
  }

  #run(program: string, args: readonly string[]): Promise<number | NodeJS.Signals | null> {
    const stdio = ['ignore', this.#options.json ? 2 : 'inherit', 'inherit'] as const;
    // The demo shows a whole ticket on every machine; what its scripted model writes is known.
    const env = { ...process.env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1', BEADSMITH_SCRIPTED: '1' };
    const child = spawn(process.execPath, [program, ...args], { stdio: [...stdio], env, detached: true });
    this.#keep(child);
    this.#signalled.add(child);
    return ended(child);
  }

  /** `demo` alone needs neither an editor nor a browser. */
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
