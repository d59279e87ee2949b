import { type ChildProcess, spawn } from 'node:child_process';
import { CliEvent } from '../../src/protocol/cliEvents.ts';
import { program } from './program.ts';

const alone = program('cli.js', 'src/cli/main.ts');
const withPerson = program('personCli.js', '.build/personCli.mjs');
const asksNobody = [
  'list',
  'show',
  'logs',
  'export',
  'verify',
  'create',
  'estimate',
  'doctor',
  'prompts',
  'help',
  'usage',
];
const inAdvance = ['--approve', '--answers', '--skip-interview'];

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CliProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<CliResult>;
  stdout = '';
  stderr = '';

  constructor(
    args: readonly string[],
    options: {
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
      readonly input?: string;
      /** Nobody types the word that confirms a decision. */
      readonly alone?: boolean;
      /** Instead of this build. */
      readonly program?: string;
    } = {},
  ) {
    const [word = ''] = args;
    const decided =
      ['run', 'start', 'loop'].includes(word) && inAdvance.some((option) => args.includes(option));
    const isPlain = options.alone === true || asksNobody.includes(word) || decided;
    const { program: started = isPlain ? alone : withPerson } = options;
    this.child = spawn(process.execPath, [started, ...args], {
      cwd: options.cwd ?? process.cwd(),
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...unattended(), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stdin?.end(options.input ?? '');
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code) => {
        resolve({ code, stdout: this.stdout, stderr: this.stderr });
      }),
    );
  }

  /** The whole lines of `--json` so far, checked against the protocol. */
  get events(): readonly CliEvent[] {
    return eventsOf(this.stdout);
  }
}

export function runCli(
  args: readonly string[],
  options?: ConstructorParameters<typeof CliProcess>[1],
): Promise<CliResult> {
  return new CliProcess(args, options).ended;
}

/** Throws when a line is no event of the protocol. */
export function eventsOf(stdout: string): readonly CliEvent[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => CliEvent.parse(JSON.parse(line)));
}

/** Soaks and labs don’t run in mocha, which sets it for tests. */
export function unattended(): Record<string, string> {
  return {
    BEADSMITH_SANDBOX: process.env['BEADSMITH_SANDBOX'] ?? 'off',
    BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1',
    BEADSMITH_SCRIPTED: '1',
  };
}
