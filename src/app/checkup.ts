import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findOpencode, opencodeVersion } from '../adapters/opencode/server/findOpencode.ts';
import { teamFolder } from '../adapters/git/worktrees/worktreePlaces.ts';
import { findGit } from '../adapters/system/programs.ts';
import { findSandbox } from '../adapters/sandbox/findSandbox.ts';
import { isAlive } from '../adapters/system/processes.ts';
import { serverDomains, ServerFiles } from '../adapters/opencode/server/serverFiles.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { noSandbox, type SandboxSetting } from '../domain/environment/sandbox.ts';
import { sameRepository, shownName } from '../domain/forge/forgePlace.ts';
import type { Forges, PromptSource } from '../engine/ports/ports.ts';
import { type Check, checked, failedCheck } from '../protocol/checks.ts';
import type { App } from './app.ts';
import { checkStored } from './checkStored.ts';
import type { AppOptions } from './createApp.ts';

/** The adapter needs it. */
const oldestGit = [2, 38] as const;
const namedModels = 40;

/** Checks git and OpenCode, without a repository. */
export async function* checkMachine(
  options: Pick<AppOptions, 'env' | 'opencode'> & { readonly sandbox: SandboxSetting },
): AsyncGenerator<Check, void, undefined> {
  yield await checkGit(options.env);
  yield await checkSandbox(options.sandbox, options.opencode.url !== undefined);
  if (options.opencode.url === undefined) yield await checkOpencode(options);
}

/** Checks an open repository, and starts OpenCode. `chosen`: models in settings. */
export async function* checkRepository(
  app: App,
  { opencode }: Pick<AppOptions, 'opencode'>,
  chosen: readonly string[] = [],
): AsyncGenerator<Check, void, undefined> {
  const stateFolder = join(app.repository.commonDir, 'beadsmith');
  yield await checkCheckout(app);
  yield await checkDriver(app);
  yield* checkOwnPrompts(app.ports.prompts);
  yield* checkStored(app.ports.store, stateFolder);
  yield await checkWorktrees(app);
  yield await checkForge(app.ports.forges);
  // Before OpenCode starts here, so that only leftovers are found.
  yield await checkServers(stateFolder);
  if (opencode.url !== undefined) yield checked('server', 'pass', 'SERVER_GIVEN', { url: opencode.url });
  yield* checkModels(app, chosen);
}

async function checkGit(env: AppOptions['env']): Promise<Check> {
  try {
    const git = findGit(env);
    if (git === undefined) return checked('git', 'fail', 'GIT_MISSING');
    const { stdout } = await promisify(execFile)(git, ['--version'], { timeout: 10_000, env: { ...env } });
    const found = /(\d+)\.(\d+)[.\d]*/.exec(stdout);
    const [major, minor] = [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)];
    const version = found?.[0] ?? '?';
    if (major > oldestGit[0] || (major === oldestGit[0] && minor >= oldestGit[1]))
      return checked('git', 'pass', 'GIT_READY', { version });
    return checked('git', 'fail', 'GIT_OLD', { version, wanted: oldestGit.join('.') });
  } catch {
    return checked('git', 'fail', 'GIT_MISSING');
  }
}

async function checkSandbox(setting: SandboxSetting, ownServer: boolean): Promise<Check> {
  const { kind, gap, inner } = await findSandbox(setting, { commonDir: '/', ownServer });
  if (gap !== undefined)
    return { ...failedCheck('sandbox', noSandbox(gap)), result: setting === 'require' ? 'fail' : 'warn' };
  if (kind === 'seatbelt') return checked('sandbox', 'pass', 'SANDBOX_SEATBELT');
  return inner
    ? checked('sandbox', 'pass', 'SANDBOX_BUBBLEWRAP')
    : checked('sandbox', 'warn', 'SANDBOX_OUTER_ONLY');
}

async function checkOpencode({ opencode, env }: Pick<AppOptions, 'env' | 'opencode'>): Promise<Check> {
  try {
    const path = await findOpencode({
      env,
      ...(opencode.binary === undefined ? {} : { setting: opencode.binary }),
    });
    return checked('opencode', 'pass', 'OPENCODE_READY', { version: opencodeVersion, path });
  } catch (error) {
    return failedCheck('opencode', error);
  }
}

async function checkCheckout({ ports }: App): Promise<Check> {
  try {
    // Read again: it may have been opened days ago.
    const { root, hasCommits, dirty, headBranch } = await ports.git.repository();
    if (!hasCommits) return checked('repository', 'fail', 'CHECKOUT_EMPTY', { root });
    const branch = headBranch ?? 'a detached HEAD';
    if (dirty === 0) return checked('repository', 'pass', 'CHECKOUT_CLEAN', { root, branch });
    return checked('repository', 'warn', 'CHECKOUT_CHANGED', { root, branch, count: dirty });
  } catch (error) {
    return failedCheck('repository', error);
  }
}

async function checkDriver(app: App): Promise<Check> {
  if (app.mode === 'readOnly')
    return checked('driver', 'fail', 'READ_ONLY', { reason: app.client.repository.reason });
  if (app.mode === 'driver') return checked('driver', 'pass', 'DRIVEN_HERE');
  return checked('driver', 'pass', (await app.driverIsGone()) ? 'DRIVEN_BY_NOBODY' : 'DRIVEN_BY_ANOTHER');
}

export async function* checkOwnPrompts(
  prompts: Pick<PromptSource, 'overrides'>,
): AsyncGenerator<Check, void, undefined> {
  const overrides = await prompts.overrides();
  const refused = overrides.filter(({ problem }) => problem !== '');
  for (const { path, problem } of refused)
    yield failedCheck('prompts', new BeadsmithError('PROMPT_REFUSED', { path, reason: problem }));
  if (refused.length > 0) return;
  yield overrides.length === 0
    ? checked('prompts', 'pass', 'PROMPTS_BUILT_IN')
    : checked('prompts', 'pass', 'PROMPTS_OVERRIDDEN', {
        names: overrides.map(({ name }) => name).join(', '),
      });
}

async function checkWorktrees(app: App): Promise<Check> {
  try {
    const tickets = await app.ports.store.tickets();
    const expected = tickets.flatMap(({ worktree }) => (worktree === null ? [] : [worktree]));
    const there = await Promise.all(expected.map((path) => stat(path).then(Boolean, () => false)));
    const missing = expected.filter((_path, at) => !there[at]);
    const folder = dirname(await app.ports.git.worktreePath('TKT-1'));
    const found = await readdir(folder).catch(() => []);
    const strangers = found.filter((name) => name !== teamFolder && !tickets.some(({ id }) => id === name));
    if (missing.length > 0)
      return checked('worktrees', 'warn', 'WORKTREES_GONE', { paths: missing.join(', ') });
    if (strangers.length > 0)
      return checked('worktrees', 'warn', 'WORKTREES_UNKNOWN', { folder, names: strangers.join(', ') });
    return expected.length === 0
      ? checked('worktrees', 'pass', 'WORKTREES_NONE')
      : checked('worktrees', 'pass', 'WORKTREES_THERE', { paths: expected.join(', ') });
  } catch (error) {
    return failedCheck('worktrees', error);
  }
}

/** Asks the forge, and nobody to sign in. Everything else works without it. */
export async function checkForge(forges: Forges): Promise<Check> {
  try {
    if (!(await forges.isThere())) return checked('github', 'pass', 'FORGE_NONE');
    const forge = await forges.at();
    const { base, head } = forge.place;
    const { login, source } = await forge.account({ isQuiet: true });
    const { mayPush, isArchived } = await forge.capabilities({ isQuiet: true });
    const args = {
      remote: base.remote,
      repository: shownName(base),
      pushTo: shownName(head),
      account: login ?? 'an app',
      source,
    };
    if (isArchived) return checked('github', 'warn', 'FORGE_ARCHIVED', args);
    if (!mayPush) return checked('github', 'warn', 'FORGE_NO_PUSH', args);
    return checked('github', 'pass', sameRepository(base, head) ? 'FORGE_READY' : 'FORGE_FORK', args);
  } catch (error) {
    return { ...failedCheck('github', error), result: 'warn' };
  }
}

async function checkServers(stateFolder: string): Promise<Check> {
  const [used, left]: [number[], number[]] = [[], []];
  for (const domain of await serverDomains(stateFolder)) {
    const files = new ServerFiles(stateFolder, domain);
    const record = await files.read();
    if (record && (await isAlive(record.server)))
      ((await files.inUse('all')) ? used : left).push(record.server.pid);
  }
  if (left.length > 0) return checked('servers', 'warn', 'SERVERS_LEFT', { pid: left.join(', ') });
  if (used.length === 0) return checked('servers', 'pass', 'SERVERS_NONE');
  return checked('servers', 'pass', 'SERVERS_USED', { pid: used.join(', ') });
}

async function* checkModels(
  { ports }: App,
  chosen: readonly string[],
): AsyncGenerator<Check, void, undefined> {
  try {
    const { version } = await ports.agent.health();
    const models = await ports.agent.models();
    if (models.length === 0) {
      yield checked('models', 'fail', 'MODELS_NONE', { version });
      return;
    }
    const named = models.slice(0, namedModels).join(', ');
    yield checked('models', 'pass', 'MODELS_KNOWN', {
      version,
      count: models.length,
      models: models.length > namedModels ? `${named} …` : named,
    });
    const unknown = [...new Set(chosen)].filter((model) => !models.includes(model.replace(/@[^@/]*$/, '')));
    if (unknown.length > 0) yield checked('models', 'warn', 'MODELS_UNKNOWN', { models: unknown.join(', ') });
  } catch (error) {
    yield failedCheck('models', error);
  }
}
