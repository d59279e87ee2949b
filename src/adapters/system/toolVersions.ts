import { createHash } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { cacheRoot } from './cacheRoot.ts';
import { readJson, writeAtomically } from './files.ts';
import { type Environment, homeOf } from './commandEnvironment.ts';

/** Full path, and arguments that ask for the version; empty if it tells none. */
interface Tool {
  readonly path: string;
  readonly ask: () => Promise<string>;
}

const day = 86_400_000;
/** A silent program may have been slow: asked again sooner. */
const agesMs = { told: day, silent: 600_000 };
const mostKept = 200;

/** Keeps only what versions are made of: models get it. */
const Known = z.record(
  z.string(),
  z.object({ state: z.string(), version: z.string().regex(/^[\w.+~-]{0,100}$/), at: z.number() }),
);
type Known = z.infer<typeof Known>;

/**
 * Versions of programs in a file per user: asked once for each state of a program's file
 * (docs/decisions/161-versions-of-tools.md). An unusable file is passed over.
 */
export class ToolVersions {
  readonly #file: string;
  readonly #now: () => number;
  readonly #asked = new Map<string, Promise<string>>();
  readonly #known: Known = {};

  constructor(file: string, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
  }

  static ofUser(environment: Environment): ToolVersions {
    return new ToolVersions(join(cacheRoot(environment), 'tool-versions.json'));
  }

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

async function stateOf(path: string): Promise<string> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  return found === undefined
    ? '-'
    : [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].map(String).join(' ');
}

const choices: readonly (readonly [variable: string, below: string, file: string])[] = [
  ['PYENV_ROOT', '.pyenv', 'version'],
  ['RBENV_ROOT', '.rbenv', 'version'],
  ['JENV_ROOT', '.jenv', 'version'],
  ['RUSTUP_HOME', '.rustup', 'settings.toml'],
  ['VOLTA_HOME', '.volta', 'tools/user/platform.json'],
  ['', '', '.tool-versions'],
  ['XDG_CONFIG_HOME', '.config', 'mise/config.toml'],
];

/** Corepack's choice is theirs alone, noted at its first use in a home. */
const packageManagers = /^(corepack|npm|npx|pnpm|pnpx|yarn)(\.|$)/i;
const corepack = ['COREPACK_HOME', '.cache/node/corepack', 'lastKnownGood.json'] as const;

const choosing = 'PYENV_VERSION RBENV_VERSION JENV_VERSION RUSTUP_TOOLCHAIN JAVA_HOME GOTOOLCHAIN'.split(' ');

async function choicesIn(
  environment: Environment,
): Promise<{ readonly all: string; readonly others: string }> {
  const home = homeOf(environment);
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
