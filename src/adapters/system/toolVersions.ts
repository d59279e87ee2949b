import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { cacheRoot } from './cacheRoot.ts';
import { readJson, writeAtomically } from './files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A program, by its full path, and how it is asked for its version; empty when it tells none. */
export interface Tool {
  readonly path: string;
  readonly ask: () => Promise<string>;
}

const day = 86_400_000;
/** A program that told no version is asked again sooner: it may have been slow. */
const agesMs = { told: day, silent: 600_000 };
const mostKept = 200;

/** Of a version only what versions are made of: the text is sent to models. */
const Known = z.record(
  z.string(),
  z.object({ state: z.string(), version: z.string().regex(/^[\w.+~-]{0,100}$/), at: z.number() }),
);
type Known = z.infer<typeof Known>;

/**
 * Knows the versions of programs, in one file for each user, so that a program is asked once for each state
 * of its file (docs/decisions/161-versions-of-tools.md). A file that can't be read or written is passed over.
 */
export class ToolVersions {
  readonly #file: string;
  readonly #now: () => number;
  /** The questions that are under way, so that nothing is asked twice at the same time. */
  readonly #asked = new Map<string, Promise<string>>();
  /** The answers that this process got, for where there is no file. */
  readonly #known: Known = {};

  constructor(file: string, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
  }

  /** Those of this environment's user. */
  static ofUser(environment: Environment): ToolVersions {
    return new ToolVersions(join(cacheRoot(environment), 'tool-versions.json'));
  }

  /** The versions, in the order of the programs; empty where none was told. */
  async of(tools: readonly Tool[], environment: Environment): Promise<readonly string[]> {
    const [known, choices] = await Promise.all([this.#read(), choicesIn(environment)]);
    const found: Known = {};
    const versions = await Promise.all(
      tools.map(async ({ path, ask }) => {
        const state = `${await stateOf(path)} ${packageManagers.test(basename(path)) ? choices.all : choices.others}`;
        const before = [this.#known[path], known[path]].find(
          (one) => one?.state === state && this.#holds(one),
        );
        if (before !== undefined) return before.version;
        const key = `${path}\n${state}`;
        const asked = this.#asked.get(key) ?? ask().finally(() => this.#asked.delete(key));
        this.#asked.set(key, asked);
        const version = await asked;
        this.#known[path] = found[path] = { state, version, at: this.#now() };
        return version;
      }),
    );
    if (Object.keys(found).length > 0) await this.#keep(found);
    return versions;
  }

  #holds({ version, at }: Known[string]): boolean {
    const age = this.#now() - at;
    return age >= 0 && age < (version === '' ? agesMs.silent : agesMs.told);
  }

  async #read(): Promise<Known> {
    return (await readJson(this.#file, Known)) ?? {};
  }

  async #keep(found: Known): Promise<void> {
    try {
      const all = Object.entries({ ...(await this.#read()), ...found }).toSorted(
        ([, a], [, b]) => a.at - b.at,
      );
      await mkdir(dirname(this.#file), { recursive: true });
      await writeAtomically(this.#file, JSON.stringify(Object.fromEntries(all.slice(-mostKept))), {
        mode: 0o600,
        durable: false,
      });
    } catch {
      // Then the next process asks again.
    }
  }
}

/** Returns the state of a program's file. A link stands for what it leads to. */
async function stateOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined
    ? '-'
    : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].map(String).join(' ');
}

/** Notes of version managers on a choice: variable of the folder, default below HOME, and file. */
const choices: readonly (readonly [variable: string, below: string, file: string])[] = [
  ['PYENV_ROOT', '.pyenv', 'version'],
  ['RBENV_ROOT', '.rbenv', 'version'],
  ['JENV_ROOT', '.jenv', 'version'],
  ['RUSTUP_HOME', '.rustup', 'settings.toml'],
  ['VOLTA_HOME', '.volta', 'tools/user/platform.json'],
  ['', '', '.tool-versions'],
  ['XDG_CONFIG_HOME', '.config', 'mise/config.toml'],
];

/** Corepack's choice is about these alone. It notes one as soon as it is used in a new home. */
const packageManagers = /^(corepack|npm|npx|pnpm|pnpx|yarn)(\.|$)/i;
const corepack = ['COREPACK_HOME', '.cache/node/corepack', 'lastKnownGood.json'] as const;

const choosing = 'PYENV_VERSION RBENV_VERSION JENV_VERSION RUSTUP_TOOLCHAIN JAVA_HOME GOTOOLCHAIN'.split(' ');

/** The choices of a person. `others`: for programs that aren't package managers. */
async function choicesIn(
  environment: Environment,
): Promise<{ readonly all: string; readonly others: string }> {
  const home = environment['HOME'] ?? homedir();
  const noted = async ([variable, below, file]: (typeof choices)[number]): Promise<string> => {
    const text = await readFile(join(environment[variable] ?? join(home, below), file)).catch(
      () => undefined,
    );
    return text === undefined ? '-' : createHash('sha256').update(text).digest('hex').slice(0, 16);
  };
  const [manager, ...files] = await Promise.all([corepack, ...choices].map(noted));
  const others = [...choosing.map((name) => environment[name] ?? ''), ...files].join('\t');
  return { all: `${others}\t${manager ?? '-'}`, others };
}
