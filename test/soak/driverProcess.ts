import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** The same with a person at its terminal, who confirms what is decided. */
const confirmed = fileURLToPath(new URL('../../.build/personCli.mjs', import.meta.url));

/** One start of the command line tool that drives a ticket, with the events it printed so far. */
export class DriverProcess {
  readonly events: Readonly<Record<string, unknown>>[] = [];
  readonly ended: Promise<number | 'killed'>;
  readonly #child: ChildProcess;
  readonly #waiting: { readonly steps: number; readonly reached: () => void }[] = [];
  #errors = '';

  /** `confirms`: a person confirms the command, which isn't decided in advance. */
  constructor(args: readonly string[], options: { readonly confirms?: boolean } = {}) {
    const program = options.confirms ? confirmed : cli;
    const child = spawn(process.execPath, [program, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1' },
    });
    this.#child = child;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('{')) this.events.push(JSON.parse(line) as Record<string, unknown>);
      this.#wake();
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.#errors += chunk));
    this.ended = new Promise((resolve) =>
      child.once('close', (code) => {
        resolve(code ?? 'killed');
      }),
    );
  }

  /** How many steps this process has done itself: replayed ones don't count. */
  get steps(): number {
    return this.events.filter((event) => event['type'] === 'step' && event['state'] === 'done').length;
  }

  /** Resolves when this process has done so many steps. */
  reached(steps: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ steps, reached: resolve });
      this.#wake();
    });
  }

  get errors(): string {
    return this.#errors;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #wake(): void {
    for (const { steps, reached } of this.#waiting) if (this.steps >= steps) reached();
  }
}
