import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { shellQuoted } from '../../system/startedBy.ts';
import {
  fileOf,
  foreignSettings,
  type ForeignSettings,
  parseSettings,
  type Setting,
  settingText,
} from './foreignSettings.ts';
import { textAt } from '../../system/files.ts';

/** A place where git runs. With a `gitDir` it is a worktree of ours, and git is pinned to it. */
export interface Place {
  readonly cwd: string;
  readonly gitDir?: string;
}

interface Known {
  readonly settings: ForeignSettings;
  readonly all: readonly Setting[];
  readonly files: readonly string[];
  readonly state: string;
}

const list = ['config', '--list', '--null', '--show-scope', '--show-origin'];

const writers = new Set('reset checkout update-index read-tree hash-object rebase merge-tree'.split(' '));

/**
 * Knows which programs the repository's configuration would start. An agent may change it any time, so it
 * holds only while its files are the same.
 */
export class SettingsGuard {
  readonly #folders: readonly string[];
  readonly #home: string;
  readonly #read: (place: Place, args: readonly string[]) => Promise<string | undefined>;
  readonly #known = new Map<string, Known>();

  /** `read`: a git that starts no program; undefined if it failed. */
  constructor(
    folders: readonly string[],
    home: string,
    read: (place: Place, args: readonly string[]) => Promise<string | undefined>,
  ) {
    this.#folders = folders;
    this.#home = home;
    this.#read = read;
  }

  /** Throws GIT_SETTING_REFUSED if git would start a program of the repository. */
  async check(place: Place, args: readonly string[]): Promise<ForeignSettings> {
    const { settings, all } = await this.look(place);
    const { foreign, partial } = settings;
    const started = foreign.filter(({ occasion }) =>
      occasion === 'signature'
        ? signs(args) || args[0] === 'verify-commit'
        : occasion === 'network'
          ? reaches(args) || (writes(args) && partial)
          : occasion === 'server'
            ? reaches(args)
            : writes(args),
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
    // Conditions depend on the branch, and what is refused may become trusted: not kept.
    const isLasting = settings.foreign.every(({ occasion }) => occasion === 'server');
    if (files.length > 0 && isLasting && !found.some(includes)) {
      this.#known.set(key, { settings, all: found, files, state: await stateOf(files) });
    }
    return { settings, all: found };
  }
}

export function signs(args: readonly string[]): boolean {
  return args.includes('-S') || args.includes('--gpg-sign');
}

/** Calls that ask a server. */
export function reaches([command = '']: readonly string[]): boolean {
  return command === 'push' || command === 'ls-remote' || command === 'fetch';
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
  const texts = [...new Set(refused.map(settingText))];
  return new BeadsmithError('GIT_SETTING_REFUSED', {
    settings: texts.join(', '),
    commands: texts
      .map((text) => `git config --global --add beadsmith.trusted ${shellQuoted(text)}`)
      .join(' && '),
  });
}

type ReadingGit = (args: readonly string[]) => Promise<string | undefined>;

/**
 * Finds the merge drivers that a call could start by attributes. One that is left over in a clone stops no
 * ticket.
 */
async function usedDrivers(
  drivers: readonly Setting[],
  {
    args,
    all,
    cwd,
    git,
  }: {
    readonly args: readonly string[];
    readonly all: readonly Setting[];
    readonly cwd: string;
    readonly git: ReadingGit;
  },
): Promise<readonly Setting[]> {
  if (drivers.length === 0) return [];
  const commits = args.filter((arg) => /^[0-9a-f]{40,64}$/.test(arg));
  const inFiles = ['grep', '-h', '--fixed-strings', '-e', 'merge='];
  const files = ['--', ':(glob)**/.gitattributes'];
  const found = [await git([...inFiles, '--untracked', '--no-exclude-standard', ...files])];
  for (const commit of commits) found.push(await git([...inFiles, commit, ...files]));
  // What can't be read may name any.
  if (found.includes(undefined)) return drivers;
  const folders = new Set(
    all
      .flatMap((one) => (one.scope === 'local' ? [fileOf(one, cwd)] : []))
      .filter((file) => file !== undefined)
      .map(dirname),
  );
  for (const folder of folders) found.push(await textAt(join(folder, 'info', 'attributes')));
  const text = found.join('\n');
  const everywhere = all.flatMap(({ name, value }) => (name === 'merge.default' ? [value] : []));
  return drivers.filter(
    (driver) => text.includes(`merge=${nameOf(driver)}`) || everywhere.includes(nameOf(driver)),
  );
}

function nameOf({ name }: Setting): string {
  return name.slice('merge.'.length, -'.driver'.length);
}
