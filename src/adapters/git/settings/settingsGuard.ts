import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { usedDrivers } from './mergeDrivers.ts';
import {
  fileOf,
  foreignSettings,
  type ForeignSettings,
  parseSettings,
  type Setting,
} from './foreignSettings.ts';

/**
 * The place where a git command runs. With a `gitDir` it is one of our own worktrees, and git is pinned to
 * exactly that one.
 */
export interface Place {
  readonly cwd: string;
  readonly gitDir?: string;
}

interface Known {
  readonly settings: ForeignSettings;
  readonly all: readonly Setting[];
  /** The files it was read from, and where more may appear. */
  readonly files: readonly string[];
  readonly state: string;
}

const list = ['config', '--list', '--null', '--show-scope', '--show-origin'];

/**
 * Commands that read or write file contents by way of filters and drivers, so that what they make depends on
 * them.
 */
const writers = new Set([
  'reset',
  'checkout',
  'update-index',
  'read-tree',
  'hash-object',
  'rebase',
  'merge-tree',
]);

/**
 * Knows before each call which programs the repository's configuration would have git start. An agent may
 * change it at any time: what was read holds only while its files are the same.
 */
export class SettingsGuard {
  readonly #folders: readonly string[];
  readonly #home: string;
  readonly #read: (place: Place, args: readonly string[]) => Promise<string | undefined>;
  readonly #known = new Map<string, Known>();

  /** `read` runs a git in a place that starts no program; undefined if it failed. */
  constructor(
    folders: readonly string[],
    home: string,
    read: (place: Place, args: readonly string[]) => Promise<string | undefined>,
  ) {
    this.#folders = folders;
    this.#home = home;
    this.#read = read;
  }

  /** Throws GIT_SETTING_REFUSED if the call would have git start a program that the repository names. */
  async check(place: Place, args: readonly string[]): Promise<ForeignSettings> {
    const { settings, all } = await this.look(place);
    const { foreign, partial } = settings;
    const started = foreign.filter(({ occasion }) =>
      occasion === 'signature'
        ? signs(args) || args[0] === 'verify-commit'
        : writes(args) && (occasion !== 'network' || partial),
    );
    const drivers = started.filter(({ occasion }) => occasion === 'merge');
    const used = await usedDrivers(drivers, {
      args,
      all,
      cwd: place.cwd,
      git: (reading) => this.#read(place, reading),
    });
    const refused = started.filter((setting) => setting.occasion !== 'merge' || used.includes(setting));
    if (refused.length > 0) throw refusal(refused);
    return settings;
  }

  /** Everything that is configured in a place now, and what of it names programs of the repository. */
  async look(
    place: Place,
  ): Promise<{ readonly settings: ForeignSettings; readonly all: readonly Setting[] }> {
    const key = `${place.cwd}\0${place.gitDir ?? ''}`;
    const known = this.#known.get(key);
    if (known && known.state === (await stateOf(known.files))) return known;
    this.#known.delete(key);
    const found = parseSettings((await this.#read(place, list)) ?? '');
    const settings = foreignSettings(found, place.cwd, this.#folders);
    const files = filesOf(found, place, this.#home);
    // What a condition includes may change with the branch, and what is refused may be trusted any moment:
    // both are read each time.
    if (files.length > 0 && settings.foreign.length === 0 && !found.some(includes)) {
      this.#known.set(key, { settings, all: found, files, state: await stateOf(files) });
    }
    return { settings, all: found };
  }
}

/** Checks whether a call makes signatures, for which a person's agent may be needed. */
export function signs(args: readonly string[]): boolean {
  return args.includes('-S') || args.includes('--gpg-sign');
}

function writes(args: readonly string[]): boolean {
  const [command = '', next] = args.filter((arg) => arg !== '--literal-pathspecs');
  return writers.has(command) || (command === 'worktree' && next === 'add');
}

function includes({ scope, name }: Setting): boolean {
  return (scope === 'local' || scope === 'worktree') && /^include(?:if)?\./.test(name);
}

function filesOf(settings: readonly Setting[], place: Place, home: string): readonly string[] {
  const read = settings.flatMap((setting) =>
    setting.scope === 'command' ? [] : (fileOf(setting, place.cwd) ?? []),
  );
  const local = settings
    .filter(({ scope }) => scope === 'local')
    .flatMap((setting) => fileOf(setting, place.cwd) ?? []);
  const ofWorktree = [
    ...local.map((file) => dirname(file)),
    ...(place.gitDir === undefined ? [] : [place.gitDir]),
  ];
  const included = settings.flatMap((setting) => {
    const file = /^include(?:if\.[^]*)?\.path$/.test(setting.name) ? fileOf(setting, place.cwd) : undefined;
    return file === undefined ? [] : [resolve(dirname(file), setting.value.replace(/^~(?=\/)/, home))];
  });
  const personal = [join(home, '.gitconfig'), join(home, '.config', 'git', 'config')];
  return [
    ...new Set([
      ...read,
      ...included,
      ...personal,
      ...ofWorktree.map((folder) => join(folder, 'config.worktree')),
    ]),
  ];
}

async function stateOf(files: readonly string[]): Promise<string> {
  const states = files.map(async (file) => {
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    return found === undefined
      ? '-'
      : `${String(found.ino)} ${String(found.size)} ${String(found.mtimeNs)} ${String(found.ctimeNs)}`;
  });
  return (await Promise.all(states)).join('\n');
}

function refusal(refused: readonly Setting[]): BeadsmithError {
  const texts = [...new Set(refused.map(({ name, value }) => `${name}=${value}`))];
  return new BeadsmithError('GIT_SETTING_REFUSED', {
    settings: texts.join(', '),
    commands: texts.map((text) => `git config --global --add beadsmith.trusted ${quoted(text)}`).join(' && '),
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
