import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A git command that a session or a command of ours started. `worktree`: where it worked, as far as git said.
 */
export interface TracedCommand {
  readonly name: string;
  readonly args: readonly string[];
  readonly worktree: string;
}

/** git writes a file a process here when `GIT_TRACE2_EVENT` names the folder. */
export async function hasTraces(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

/** Takes what git processes wrote. One that still runs is read, and stays for the next time. */
export async function takeTraces(folder: string): Promise<readonly TracedCommand[]> {
  const commands: TracedCommand[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const text = await readFile(path, 'utf8').catch(() => '');
    const command = parseTrace(text);
    if (command) commands.push(command);
    if (/"event":"(?:atexit|signal)"/.test(text) || !isRunning(name)) await rm(path, { force: true });
  }
  return commands;
}

/**
 * The name of a file ends with the number of its process. A killed one writes no end, and must not be taken
 * for the one that did what comes later.
 */
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
const naming = new Set([
  'branch',
  'switch',
  'checkout',
  'update-ref',
  'symbolic-ref',
  'tag',
  'fetch',
  'pull',
  'push',
  'worktree',
  'remote',
  'replace',
  'notes',
  'bisect',
]);

/**
 * Checks whether a traced command may have changed a ref: it is of a kind that can, and names it where it has
 * to. `isOurs`: the worktree is one of ours.
 */
export function mayChangeRef(
  { name, args, worktree }: TracedCommand,
  ref: string,
  isOurs: (worktree: string) => boolean,
): boolean {
  if (ref === 'refs/stash') return name === 'stash' || args.some((arg) => arg.includes('stash'));
  // In a worktree of ours they move only the branch of that one.
  if (inWorktree.has(name) && !isOurs(worktree)) return true;
  if (ref.startsWith('refs/remotes/') && ['fetch', 'pull', 'push', 'remote'].includes(name)) return true;
  if (ref.startsWith('refs/tags/') && ['fetch', 'pull'].includes(name)) return true;
  if (name === 'update-ref' && args.includes('--stdin')) return true;
  const short = ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');
  return naming.has(name) && args.some((arg) => arg.includes(short));
}

/** The settings that git's own commands write beside `config`, by command. */
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

/** Checks whether a traced command may have changed a setting, by its name in lower case. */
export function mayChangeSetting({ name, args }: TracedCommand, setting: string): boolean {
  const said = args.map((arg) => arg.toLowerCase());
  if (name === 'config')
    return said.some((arg) => arg !== '' && (setting.startsWith(arg) || arg.startsWith(setting)));
  const middle = setting.split('.').slice(1, -1).join('.');
  return configuring[name]?.test(setting) === true && said.some((arg) => arg.includes(middle));
}

/**
 * Checks whether a traced command gave a program the location of git's folder, so that it could write there.
 */
export function toldGitFolder({ name, args }: TracedCommand): boolean {
  return (
    name === 'init' ||
    (name === 'rev-parse' &&
      args.some((arg) => /^--(?:git-path|git-dir|git-common-dir|absolute-git-dir)$/.test(arg)))
  );
}
