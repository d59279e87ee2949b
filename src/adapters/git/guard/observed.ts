import { readFile, readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { lstatAt, namesAt, textAt } from '../../system/files.ts';

export interface TracedCommand {
  readonly name: string;
  readonly args: readonly string[];
  readonly worktree: string;
}

/** git writes a file a process into the folder that `GIT_TRACE2_EVENT` names. */
export async function hasTraces(folder: string): Promise<boolean> {
  return (await namesAt(folder)).length > 0;
}

/** Takes what gits wrote. A running one is read, and stays for the next time. */
export async function takeTraces(folder: string): Promise<readonly TracedCommand[]> {
  const commands: TracedCommand[] = [];
  for (const name of await namesAt(folder)) {
    const path = join(folder, name);
    const text = await textAt(path);
    const command = parseTrace(text);
    if (command) commands.push(command);
    if (/"event":"(?:atexit|signal)"/.test(text) || !isRunning(name)) await rm(path, { force: true });
  }
  return commands;
}

/** The name ends with the pid; a killed git writes no end. */
function isRunning(name: string): boolean {
  const pid = parseInt(/-P([0-9a-f]+)(?:\.\d+)?$/.exec(name)?.[1] ?? '', 16);
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function parseTrace(text: string): TracedCommand | undefined {
  const found = { name: '', args: [] as string[], worktree: '' };
  for (const line of text.split('\n')) {
    if (!/"event":"(?:start|def_repo|cmd_name)"/.test(line)) continue;
    try {
      const event = JSON.parse(line) as {
        event?: unknown;
        argv?: unknown;
        worktree?: unknown;
        name?: unknown;
      };
      if (event.event === 'start' && Array.isArray(event.argv)) found.args = event.argv.slice(1).map(String);
      if (event.event === 'def_repo' && typeof event.worktree === 'string') found.worktree = event.worktree;
      if (event.event === 'cmd_name' && typeof event.name === 'string') found.name = event.name;
    } catch {
      // a line that isn't whole yet
    }
  }
  return found.name === '' ? undefined : found;
}

const inWorktree = new Set(['commit', 'merge', 'rebase', 'reset', 'cherry-pick', 'revert', 'am', 'pull']);
const naming = new Set(
  [
    'branch switch checkout update-ref symbolic-ref tag fetch pull push',
    'worktree remote replace notes bisect',
  ].flatMap((line) => line.split(' ')),
);

/** Right behind `config` they say that it writes nothing: git takes one action only. */
const readsConfig = /^(?:--get(?:-all|-regexp|-urlmatch)?|get|--list|-l|list)$/;
const readsWhere =
  /^(?:--(?:local|global|system|worktree|null|name-only|show-origin|show-scope|includes)|-z)$/;

/** True for what programs ask about the repository they work in. */
function isReading({ name, args }: TracedCommand): boolean {
  const words = args.slice(args.indexOf(name) + 1);
  if (name === 'config') return readsConfig.test(words.find((word) => !readsWhere.test(word)) ?? '');
  if (name !== 'remote') return false;
  return words.every((word) => word === '-v') || ['get-url', 'show'].includes(words[0] ?? '');
}

/** Checks whether a command can change this ref. `isOurs`: its worktree is ours. */
export function mayChangeRef(
  command: TracedCommand,
  ref: string,
  isOurs: (worktree: string) => boolean,
): boolean {
  if (isReading(command)) return false;
  const { name, args, worktree } = command;
  if (ref === 'refs/stash') return name === 'stash' || args.some((arg) => arg.includes('stash'));
  // In a worktree of ours they move only its branch.
  if (inWorktree.has(name) && !isOurs(worktree)) return true;
  if (ref.startsWith('refs/remotes/') && ['fetch', 'pull', 'push', 'remote'].includes(name)) return true;
  if (ref.startsWith('refs/tags/') && ['fetch', 'pull'].includes(name)) return true;
  if (name === 'update-ref' && args.includes('--stdin')) return true;
  const short = ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');
  return naming.has(name) && args.some((arg) => arg.includes(short));
}

const configuring: Readonly<Record<string, RegExp>> = {
  remote: /^(?:remote|branch)\./,
  branch: /^branch\./,
  switch: /^branch\./,
  checkout: /^branch\./,
  push: /^branch\./,
  submodule: /^submodule\./,
  worktree: /^(?:extensions|core)\./,
  'sparse-checkout': /^(?:extensions|core)\./,
  init: /^core\./,
};

export function mayChangeSetting(command: TracedCommand, setting: string): boolean {
  if (isReading(command)) return false;
  const { name, args } = command;
  const said = args.map((arg) => arg.toLowerCase());
  if (name === 'config')
    return said.some((arg) => arg !== '' && (setting.startsWith(arg) || arg.startsWith(setting)));
  const middle = setting.split('.').slice(1, -1).join('.');
  return configuring[name]?.test(setting) === true && said.some((arg) => arg.includes(middle));
}

/** Checks whether a command told a program where git's folder is: it could write there. */
export function toldGitFolder({ name, args }: TracedCommand): boolean {
  return (
    name === 'init' ||
    (name === 'rev-parse' &&
      args.some((arg) => /^--(?:git-path|git-dir|git-common-dir|absolute-git-dir)$/.test(arg)))
  );
}

/**
 * The state that worktrees share, from the disk. `refs`: hash or `ref: …` by name. `files`: by path in the
 * git common dir.
 */
export interface SharedState {
  readonly refs: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

/** Limit in bytes: of a longer text only the length is compared, as nobody wrote it. */
const longest = 256 * 1024;
const watched =
  'config config.worktree HEAD info/attributes info/exclude info/sparse-checkout logs/refs/stash'.split(' ');

let packed = { stamp: '', refs: {} as Readonly<Record<string, string>> };

/** Starts no process, as it is read around every command. Our refs are left out. */
export async function readSharedState(commonDir: string): Promise<SharedState> {
  const [tops, loose, files, hooks] = await Promise.all([
    packedRefs(join(commonDir, 'packed-refs')),
    looseRefs(commonDir),
    Promise.all(watched.map(async (name) => [name, await textOf(join(commonDir, name))] as const)),
    hooksOf(commonDir),
  ]);
  const found = [...files, ...hooks].filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined,
  );
  return { refs: { ...tops, ...Object.fromEntries(loose) }, files: Object.fromEntries(found) };
}

function isOwnRef(ref: string): boolean {
  return /^refs\/(?:beadsmith|notes\/beadsmith|heads\/ticket)(?:\/|$)/.test(ref);
}

async function looseRefs(commonDir: string): Promise<readonly (readonly [string, string])[]> {
  const top = await readdir(join(commonDir, 'refs'), { withFileTypes: true }).catch(() => []);
  const folders = top
    .filter((entry) => entry.isDirectory() && entry.name !== 'beadsmith')
    .map(({ name }) => join(commonDir, 'refs', name));
  const below = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])),
  );
  const paths = [
    ...top.map((entry) => ({ entry, folder: join(commonDir, 'refs') })),
    ...below.flat().map((entry) => ({ entry, folder: entry.parentPath })),
  ]
    .filter(({ entry }) => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(({ entry, folder }) => join(folder, entry.name));
  const refs = paths
    .map((path) => [relative(commonDir, path).split(sep).join('/'), path] as const)
    .filter(([ref]) => !isOwnRef(ref));
  const read = await Promise.all(
    refs.map(
      async ([ref, path]) => [ref, (await readFile(path, 'latin1').catch(() => undefined))?.trim()] as const,
    ),
  );
  return read.filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
}

async function packedRefs(path: string): Promise<Readonly<Record<string, string>>> {
  const found = await lstatAt(path);
  if (!found) return {};
  const stamp = `${path}:${found.ino}:${found.mtimeMs}:${found.size}`;
  if (packed.stamp === stamp) return packed.refs;
  const refs: Record<string, string> = {};
  for (const [, hash = '', ref = ''] of (await readFile(path, 'utf8')).matchAll(
    /^([0-9a-f]{40,64}) (refs\/\S+)$/gm,
  )) {
    if (!isOwnRef(ref)) refs[ref] = hash;
  }
  packed = { stamp, refs };
  return refs;
}

async function hooksOf(commonDir: string): Promise<readonly (readonly [string, string | undefined])[]> {
  const names = (await namesAt(join(commonDir, 'hooks'))).filter((name) => !name.endsWith('.sample'));
  return Promise.all(
    names.map(async (name) => [`hooks/${name}`, await textOf(join(commonDir, 'hooks', name))] as const),
  );
}

async function textOf(path: string): Promise<string | undefined> {
  const found = await lstatAt(path);
  if (!found?.isFile()) return undefined;
  return found.size > longest ? `(${found.size} bytes)` : readFile(path, 'latin1').catch(() => undefined);
}
