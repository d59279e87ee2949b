import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { type Environment, variablesOf } from '../system/commandEnvironment.ts';
import { findProgram, safePath } from '../system/programs.ts';

/** Ways to sign in. Tokens stay in memory (docs/decisions/202-the-forge.md). */
interface SignIns<T> {
  /** Enterprise hosts that the person named; only they and github.com get a token. */
  readonly hosts: readonly string[];
  /** `isQuiet`: nobody is asked to sign in. */
  of(host: string, isQuiet?: boolean): Promise<T | undefined>;
}

/** The editor's own accounts. */
export type EditorTokens = SignIns<string>;

/** A person's sign-ins at forges. `source`: the variable or program that a token is from. */
export type Tokens = SignIns<{ readonly token: string; readonly source: string }>;

interface CommandLineTokensOptions {
  readonly environment: Environment;
  /** No program is taken from there. */
  readonly inside: readonly string[];
  /** Asks a person where neither has one; undefined if they don't sign in. Its hosts count, too. */
  readonly signIn?: EditorTokens;
  /** Wait for gh's own store, in milliseconds. */
  readonly patienceMs?: number;
}

/** Tokens as `gh` finds them: by variables, then its own store. */
export class CommandLineTokens implements Tokens {
  readonly #environment: Environment;
  readonly #inside: readonly string[];
  readonly #signIn: EditorTokens | undefined;
  readonly #patienceMs: number;

  constructor({ environment, inside, signIn, patienceMs = 10_000 }: CommandLineTokensOptions) {
    this.#environment = environment;
    this.#inside = inside;
    this.#signIn = signIn;
    this.#patienceMs = patienceMs;
  }

  get hosts(): readonly string[] {
    const { GH_HOST: given } = this.#environment;
    return [given, actionsHost(this.#environment), ...(this.#signIn?.hosts ?? [])].flatMap((host) =>
      host === undefined || host === '' ? [] : [host.toLowerCase()],
    );
  }

  async of(host: string, isQuiet = false): ReturnType<Tokens['of']> {
    const names = isCloud(host)
      ? ['GH_TOKEN', 'GITHUB_TOKEN']
      : [
          'GH_ENTERPRISE_TOKEN',
          'GITHUB_ENTERPRISE_TOKEN',
          ...(host === actionsHost(this.#environment) ? ['GITHUB_TOKEN'] : []),
        ];
    for (const source of names) {
      const token = this.#environment[source]?.trim() ?? '';
      if (token !== '') return { token, source };
    }
    const stored = await this.#stored(host);
    if (stored !== undefined) return { token: stored, source: 'gh' };
    const token = await this.#signIn?.of(host, isQuiet);
    return token === undefined ? undefined : { token, source: 'VS Code' };
  }

  /** True if there is a sign-in for a forge: github.com, or an Enterprise host that the person named. */
  async has(host: string): Promise<boolean> {
    return (isCloud(host) || this.hosts.includes(host)) && (await this.of(host, true)) !== undefined;
  }

  async #stored(host: string): Promise<string | undefined> {
    const names = process.platform === 'win32' ? ['gh.exe'] : ['gh'];
    const program = findProgram(names, this.#environment, this.#inside);
    if (program === undefined) return undefined;
    const env = {
      ...variablesOf(this.#environment, ghVariables),
      PATH: safePath(this.#environment, this.#inside),
      GH_PROMPT_DISABLED: '1',
      GH_NO_UPDATE_NOTIFIER: '1',
    };
    const started = promisify(execFile)(program, ['auth', 'token', '--hostname', host], {
      cwd: this.#environment['HOME'] ?? homedir(),
      env,
      timeout: this.#patienceMs,
      // It may wait for a keyring that nobody opens.
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    started.child.stdin?.end();
    const { stdout } = await started.catch(() => ({ stdout: '' }));
    return stdout.trim() || undefined;
  }
}

function isCloud(host: string): boolean {
  return host === 'github.com' || host.endsWith('.ghe.com');
}

/** The host of GitHub Actions, for which GITHUB_TOKEN is. */
function actionsHost(environment: Environment): string | undefined {
  const address = environment['GITHUB_SERVER_URL'];
  return address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;
}

const ghVariables =
  'HOME USER XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR GH_CONFIG_DIR DBUS_SESSION_BUS_ADDRESS APPDATA LOCALAPPDATA USERPROFILE SystemRoot'.split(
    ' ',
  );
