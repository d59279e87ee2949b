import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findOpencode, opencodeVersion } from '../adapters/opencode/findOpencode.ts';
import { isAlive } from '../adapters/opencode/processTable.ts';
import { ServerFiles } from '../adapters/opencode/serverFiles.ts';
import { schemaVersion } from '../adapters/store/schema.ts';
import { TicketId } from '../domain/ids.ts';
import { toBeadsmithError } from '../domain/errors.ts';
import type { App } from './app.ts';
import type { AppOptions } from './createApp.ts';

/** What one look at the machine or the repository came to. `nextStep` is empty when nothing needs to be done. */
export interface Check {
  readonly name: string;
  readonly result: 'pass' | 'warn' | 'fail';
  readonly message: string;
  readonly nextStep: string;
}

/** The oldest git that has everything the adapter uses. */
const oldestGit = [2, 38] as const;

/** Looks at the machine: git and OpenCode, without any repository. */
export async function checkMachine(options: AppOptions): Promise<readonly Check[]> {
  return [await checkGit(), await checkOpencode(options)];
}

/** Looks at a repository that could be opened: its state, its database, journals, worktrees, servers; starts OpenCode to see that it does. */
export async function checkRepository(app: App, options: AppOptions): Promise<readonly Check[]> {
  return [
    checkCheckout(app),
    await checkDatabase(app),
    ...(await checkJournals(app)),
    await checkWorktrees(app),
    // Before OpenCode is started: what is found is a leftover of somebody else's.
    await checkServers(app),
    ...(options.opencode.url === undefined ? [] : [pass('server', `the one at ${options.opencode.url} is used`)]),
    await checkModels(app),
  ];
}

async function checkGit(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)('git', ['--version'], { timeout: 10_000 });
    const version = /(\d+)\.(\d+)[.\d]*/.exec(stdout);
    const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
    const wanted = `${String(oldestGit[0])}.${String(oldestGit[1])}`;
    if (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1])) return pass('git', version?.[0] ?? stdout.trim());
    return { name: 'git', result: 'fail', message: `git ${version?.[0] ?? '?'} is too old`, nextStep: `Install git ${wanted} or newer.` };
  } catch {
    return { name: 'git', result: 'fail', message: 'git was not found', nextStep: 'Install git.' };
  }
}

async function checkOpencode({ opencode, env }: AppOptions): Promise<Check> {
  try {
    const path = await findOpencode({ env, ...(opencode.binary === undefined ? {} : { setting: opencode.binary }) });
    return pass('opencode', `${opencodeVersion} at ${path}`);
  } catch (error) {
    return failure('opencode', error);
  }
}

function checkCheckout({ repository }: App): Check {
  const { root, hasCommits, dirty, headBranch } = repository;
  if (!hasCommits)
    return {
      name: 'repository',
      result: 'fail',
      message: `${root} has no commits yet`,
      nextStep: 'Make a first commit; a ticket starts from one.',
    };
  const branch = headBranch === null ? 'a detached HEAD' : `branch ${headBranch}`;
  if (dirty === 0) return pass('repository', `${root}, on ${branch}, clean`);
  return {
    name: 'repository',
    result: 'warn',
    message: `${root}, on ${branch}, with ${String(dirty)} uncommitted changes`,
    nextStep: 'Commit what a ticket should see. Your checkout itself is never touched.',
  };
}

async function checkDatabase(app: App): Promise<Check> {
  if (app.mode === 'readOnly') return { name: 'database', result: 'fail', message: app.client.repository.reason, nextStep: '' };
  const driven = (await app.driverIsGone()) ? 'nobody drives tickets right now' : 'another process drives the tickets';
  return pass('database', `schema ${String(schemaVersion)}, intact; ${driven}`);
}

async function checkJournals(app: App): Promise<readonly Check[]> {
  const checks: Check[] = [];
  let entries = 0;
  const tickets = await app.ports.store.tickets();
  for (const { id } of tickets) {
    const result = await app.ports.store.verify(id);
    if (result.ok) entries += result.length;
    else
      checks.push({
        name: 'journal',
        result: 'fail',
        message: `the journal of ${id} is damaged at entry ${String(result.seq)}`,
        nextStep: `Restore a backup from ${join(app.repository.commonDir, 'beadsmith', 'backups')}.`,
      });
  }
  return checks.length > 0 ? checks : [pass('journal', `${String(tickets.length)} tickets, ${String(entries)} entries, every chain valid`)];
}

async function checkWorktrees(app: App): Promise<Check> {
  const tickets = await app.ports.store.tickets();
  const expected = tickets.flatMap(({ worktree }) => (worktree === null ? [] : [worktree]));
  const missing = expected.filter((path) => !existsSync(path));
  const folder = dirname(await app.ports.git.worktreePath('TKT-1'));
  const found = await readdir(folder).catch(() => []);
  const strangers = found.filter((name) => !TicketId.safeParse(name).success || !tickets.some(({ id }) => id === name));
  if (missing.length > 0)
    return {
      name: 'worktrees',
      result: 'warn',
      message: `gone: ${missing.join(', ')}`,
      nextStep: "Retry makes a worktree again from its ticket's branch.",
    };
  if (strangers.length > 0)
    return {
      name: 'worktrees',
      result: 'warn',
      message: `${folder} holds what belongs to no ticket: ${strangers.join(', ')}`,
      nextStep: 'Remove it if you know it; Beadsmith leaves it alone.',
    };
  return pass('worktrees', expected.length === 0 ? 'none' : expected.join(', '));
}

async function checkServers(app: App): Promise<Check> {
  const files = new ServerFiles(join(app.repository.commonDir, 'beadsmith'), 'main');
  const record = await files.read();
  if (!record || !(await isAlive(record.server))) return pass('servers', 'none left running');
  if (await files.inUse('all')) return pass('servers', `process ${String(record.server.pid)} is in use`);
  return {
    name: 'servers',
    result: 'warn',
    message: `OpenCode runs as process ${String(record.server.pid)} and nobody uses it`,
    nextStep: 'Its guard ends it within a minute.',
  };
}

async function checkModels(app: App): Promise<Check> {
  try {
    const { version } = await app.ports.agent.health();
    const models = await app.ports.agent.models();
    if (models.length === 0)
      return {
        name: 'models',
        result: 'fail',
        message: `OpenCode ${version} starts, but knows no model`,
        nextStep: 'Log in with "opencode auth login".',
      };
    const shown = models.slice(0, 40).join(', ');
    return pass(
      'models',
      `OpenCode ${version} starts and knows: ${shown}${models.length > 40 ? ` and ${String(models.length - 40)} more` : ''}`,
    );
  } catch (error) {
    return failure('models', error);
  }
}

function pass(name: string, message: string): Check {
  return { name, result: 'pass', message, nextStep: '' };
}

/** An error as a failed check. */
export function failure(name: string, thrown: unknown): Check {
  const error = toBeadsmithError(thrown);
  return { name, result: 'fail', message: error.message, nextStep: error.nextStep };
}
