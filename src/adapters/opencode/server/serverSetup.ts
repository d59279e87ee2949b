import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, copyFile, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import * as z from 'zod';
import { canonicalJson } from '../../../base/json.ts';
import { sha256 } from '../../../base/sha256.ts';
import type { ToolPolicy } from '../../../domain/usage/promptPlan.ts';
import type { Sandbox } from '../../../engine/ports/sandboxPort.ts';
import { proxyNames } from '../../system/relay/registryHosts.ts';
import { sandboxServer, SandboxOrders, sandboxVariables, modelRelay } from '../sandbox/sandboxedServer.ts';
import type { Domain } from '../sandbox/domains.ts';
import { barrier, withoutProjectFiles, ownVariables } from '../sandbox/projectFiles.ts';
import { sealProviders } from '../sandbox/providers.ts';
import { commandEnvironment, type Environment, homeOf } from '../../system/commandEnvironment.ts';
import { agentConfigs } from '../client/agents.ts';
import { writeServerCatalogue } from '../models/catalogue.ts';
import { opencodeConfigFolder, opencodeVersion } from './findOpencode.ts';
import { serverFolder, toolNotes, unpackFolder } from './serverFiles.ts';
import { nonceVariable, toolVariable } from '../../system/processTree.ts';
import { safePath } from '../../system/programs.ts';
import { ProcessIdentity } from '../../system/processes.ts';
import { markingLines, shellQuoted } from '../../system/startedBy.ts';
import { textAt, makePrivateFolder } from '../../system/files.ts';

/** Orders by standard input: secrets, so never an argument or variable. */
export const GuardOrders = z.object({
  binary: z.string(),
  sandbox: SandboxOrders.optional(),
  stateDir: z.string(),
  domain: z.string(),
  folder: z.string(),
  logFile: z.string(),
  env: z.record(z.string(), z.string()),
  nonce: z.string(),
  /** Waits for the answer; without it the server isn't needed. */
  starter: ProcessIdentity,
  version: z.string(),
  configHash: z.string(),
  graceMs: z.number(),
  startLimitMs: z.number(),
  maxBytes: z.number(),
  maxAgeMs: z.number(),
});
export type GuardOrders = z.infer<typeof GuardOrders>;

export interface ServerSetup {
  /** `<git common dir>/beadsmith`: servers' records, sessions and logs. */
  readonly stateDir: string;
  readonly domain: string;
  readonly agentPrompts: Readonly<Record<ToolPolicy, string>>;
  /** The user's OpenCode configuration; only providers are taken. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly env: Environment;
  /** Repository and worktrees: no program is taken from them. */
  readonly inside?: readonly string[];
  /** A command's milliseconds if it names none. Default: ten minutes. */
  readonly commandMs?: number;
  readonly log?: (message: string) => void;
  readonly serverSandbox?: ServerSandbox;
}

interface ServerSandbox {
  readonly sandbox: Sandbox;
  readonly domain: Domain;
  readonly sandboxHosts: readonly string[];
}

/**
 * Hashes what shapes answers: a server with another hash isn't adopted. PATH and the like differ between
 * terminal and editor, and don't count.
 */
export async function setupHash(setup: ServerSetup): Promise<string> {
  const login = await readLogin(setup.env);
  const keys = picked(setup.env, [...keyVariables, ...namedVariables(setup)]);
  const sandbox = setup.serverSandbox && [
    setup.serverSandbox.sandbox.kind,
    setup.serverSandbox.domain.tree ?? '',
    [...setup.serverSandbox.sandboxHosts],
  ];
  return sha256(
    canonicalJson([
      opencodeVersion,
      barrier,
      configuration(setup),
      keys,
      sha256(login),
      commandMs(setup),
      ...(sandbox ? [sandbox] : []),
    ]),
  );
}

/**
 * Makes folders and environment (docs/decisions/037-password-and-environment.md): an allow-list with our own
 * XDG folders, so no plugins or configuration load. The guard adds `OPENCODE_SERVER_PASSWORD`.
 */
export async function prepareServer(setup: ServerSetup, binary: string) {
  const nonce = randomUUID();
  const folder = serverFolder(setup);
  const place = (name: string) => join(folder, name);
  for (const name of ['data', 'cache', 'state']) await makePrivateFolder(place(name));
  await makePrivateFolder(toolNotes(folder));
  // The runtime unpacks megabytes at each start, and leaves them when killed.
  const unpacked = join(unpackFolder(setup), nonce);
  await rm(dirname(unpacked), { recursive: true, force: true });
  await makePrivateFolder(unpacked);
  // One per user: OpenCode installs its plugins' package there, 40 MB or more.
  const config = opencodeConfigFolder(setup.env);
  const shut = await withoutProjectFiles(config);
  await rm(place('config'), { recursive: true, force: true });
  const { serverSandbox: sandbox } = setup;
  const shell = process.platform === 'win32' ? undefined : place('shell');
  const login = await readLogin(setup.env);
  const sealed = sandbox && sealProviders({ config: setup.config, login, env: setup.env, relay: modelRelay });
  const files = { cache: place('cache'), file: place('catalogue.json') };
  const catalogue = await writeServerCatalogue({ config: setup.config, login, env: setup.env, ...files });
  await (sealed
    ? passLogins(sealed.logins, join(folder, 'data', 'opencode'))
    : passLogin(setup.env, join(folder, 'data', 'opencode')));
  const env: Record<string, string> = {
    ...passedVariables(setup),
    ...(sandbox && sealed
      ? sandboxVariables(sandbox.domain, sealed, { env: setup.env, sandboxHosts: sandbox.sandboxHosts })
      : {}),
    PATH: [safePath(setup.env, setup.inside), await ripgrepBeside(binary)].filter(Boolean).join(delimiter),
    ...(shell === undefined ? {} : { SHELL: shell }),
    XDG_DATA_HOME: place('data'),
    XDG_CONFIG_HOME: config,
    XDG_CACHE_HOME: place('cache'),
    XDG_STATE_HOME: place('state'),
    OPENCODE_CONFIG_CONTENT: JSON.stringify({
      ...configuration(setup),
      ...(sealed ? { provider: sealed.provider } : {}),
    }),
    ...Object.fromEntries(switches.map((name) => [name, '1'])),
    ...shut,
    [commandTimeoutVariable]: String(commandMs(setup)),
    [unpackVariable]: unpacked,
    ...compilerVariables,
    ...(catalogue === undefined ? {} : { [catalogueVariable]: catalogue }),
    [nonceVariable]: nonce,
  };
  if (!sandbox || !sealed) {
    await writeShell(setup, shell, { nonce });
    return { folder, env, nonce, program: binary };
  }
  for (const id of sealed.unknown)
    setup.log?.(
      `OpenCode: provider "${id}" has no known address and can't be used in the sandbox; set its baseURL`,
    );
  const asked = askedFolder(setup);
  const server = { program: await realpath(binary), args: [], env, folder, config };
  const confined = await sandboxServer(server, { ...sandbox, sealed, env: setup.env, asked });
  await writeShell(setup, shell, { nonce, commandSandbox: confined.commandSandbox });
  return { folder, env: confined.env, nonce, program: confined.program, sandbox: confined.orders };
}

/** Notes the providers asked through a server. No sandbox shows it. */
export function askedFolder({ stateDir, domain }: Pick<ServerSetup, 'stateDir' | 'domain'>): string {
  return join(stateDir, 'servers', `${domain}.asked`);
}

/** A command's time if the agent names none: OpenCode's 120 s end many test suites. */
const commandTimeoutVariable = 'OPENCODE_EXPERIMENTAL_BASH_DEFAULT_TIMEOUT_MS';

const unpackVariable = 'BUN_TMPDIR';

/** Compilers: for a short-lived server the last one doesn't pay, and the others start later. */
const compilerVariables = {
  BUN_JSC_useFTLJIT: '0',
  BUN_JSC_thresholdForJITAfterWarmUp: '4000',
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '40000',
};

const catalogueVariable = 'OPENCODE_MODELS_PATH';

function commandMs(setup: Pick<ServerSetup, 'commandMs'>): number {
  return setup.commandMs ?? 600_000;
}

const switches = ['OPENCODE_DISABLE_AUTOUPDATE', 'OPENCODE_DISABLE_SHARE', 'OPENCODE_DISABLE_LSP_DOWNLOAD'];

const providerKeys = ['provider', 'enabled_providers', 'disabled_providers'];

/** Snapshots cost 60 ms a call; a compacted session isn't the recorded prompt. */
function configuration({ config, agentPrompts }: ServerSetup): Readonly<Record<string, unknown>> {
  return {
    ...Object.fromEntries(providerKeys.filter((key) => key in config).map((key) => [key, config[key]])),
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
    compaction: { auto: false, prune: false },
    agent: agentConfigs(agentPrompts),
  };
}

const furtherVariables = [
  'ALL_PROXY all_proxy SystemDrive ComSpec PATHEXT APPDATA LOCALAPPDATA USERPROFILE ProgramFiles ProgramData',
].flatMap((line) => line.split(' '));

/** Documented by providers. Configuration names others as `{env:NAME}`. */
const keyVariables = [
  'ANTHROPIC_API_KEY OPENAI_API_KEY OPENROUTER_API_KEY GEMINI_API_KEY GOOGLE_GENERATIVE_AI_API_KEY OPENCODE_API_KEY',
  'MISTRAL_API_KEY GROQ_API_KEY XAI_API_KEY DEEPSEEK_API_KEY',
].flatMap((line) => line.split(' '));

function passedVariables(setup: ServerSetup): Readonly<Record<string, string>> {
  const { env } = setup;
  if (setup.serverSandbox)
    return Object.fromEntries(
      Object.entries(commandEnvironment(env)).filter(([name]) => !proxyNames.has(name)),
    );
  const direct = [env['NO_PROXY'] ?? env['no_proxy'], '127.0.0.1', 'localhost'].filter(Boolean).join(',');
  return {
    ...commandEnvironment(env),
    ...picked(env, [...furtherVariables, ...keyVariables, ...namedVariables(setup)]),
    NO_PROXY: direct,
    no_proxy: direct,
  };
}

function picked(env: Environment, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') found[name] = value;
  }
  return found;
}

function namedVariables({ config }: ServerSetup): string[] {
  const text = JSON.stringify(config['provider'] ?? {});
  return [...text.matchAll(/\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
}

function userLogin(env: Environment): string {
  const data = env['XDG_DATA_HOME'] ?? join(homeOf(env), '.local', 'share');
  return join(data, 'opencode', 'auth.json');
}

function readLogin(env: Environment): Promise<string> {
  return textAt(userLogin(env));
}

async function passLogins(logins: Readonly<Record<string, unknown>>, folder: string): Promise<void> {
  const [file, mark, text] = [join(folder, 'auth.json'), join(folder, 'auth.sha256'), JSON.stringify(logins)];
  await makePrivateFolder(folder);
  if (sha256(text) === (await textAt(mark))) return;
  await writeFile(file, text, { mode: 0o600 });
  await writeFile(mark, sha256(text), { mode: 0o600 });
}

/**
 * A copy, so that the user's is never written. Copied again only when the user's changed: OpenCode may have
 * renewed a token in it.
 */
async function passLogin(env: Environment, folder: string): Promise<void> {
  const [from, to, mark] = [userLogin(env), join(folder, 'auth.json'), join(folder, 'auth.sha256')];
  await makePrivateFolder(folder);
  const hash = await readFile(from).then(sha256, () => '');
  if (hash === (await textAt(mark))) return;
  await rm(to, { force: true });
  if (hash !== '') {
    await copyFile(from, to);
    await chmod(to, 0o600);
  }
  await writeFile(mark, hash, { mode: 0o600 });
}

/** OpenCode downloads it if it isn't on PATH. */
async function ripgrepBeside(binary: string): Promise<string | undefined> {
  const packages = dirname(dirname(dirname(await realpath(binary))));
  const folder = join(packages, '@vscode', `ripgrep-${process.platform}-${process.arch}`, 'bin');
  return existsSync(folder) ? folder : undefined;
}

/**
 * The user's shell without the server's variables, so that no passwords reach logs. No boundary: a command
 * can read its parent's environment, unless `commandSandbox` runs it.
 */
async function writeShell(
  setup: ServerSetup,
  path: string | undefined,
  { nonce, commandSandbox = [] }: { readonly nonce: string; readonly commandSandbox?: readonly string[] },
): Promise<void> {
  if (path === undefined) return;
  const own = setup.env['SHELL'] ?? '';
  const shell = ['bash', 'zsh', 'sh'].includes(basename(own)) ? own : '/bin/sh';
  const secret = [
    'OPENCODE_SERVER_PASSWORD',
    'OPENCODE_CONFIG_CONTENT',
    ...keyVariables,
    ...namedVariables(setup),
    ...switches,
    ...ownVariables,
    commandTimeoutVariable,
    unpackVariable,
    ...Object.keys(compilerVariables),
    catalogueVariable,
    'OPENCODE_MODELS_URL',
    ...(setup.serverSandbox && setup.serverSandbox.domain.kind !== 'setup' ? proxyNames : []),
  ];
  const restored = ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME'].map((name) => {
    const value = setup.serverSandbox ? undefined : setup.env[name];
    return value === undefined ? `unset ${name}` : `export ${name}=${shellQuoted(value)}`;
  });
  const lines = [
    '#!/bin/sh',
    `unset ${secret.join(' ')}`,
    ...restored,
    `${toolVariable}=$PWD; export ${toolVariable}`,
    ...markingLines(shellQuoted(toolNotes(dirname(path))), nonce),
    `SHELL=${shellQuoted(shell)}; export SHELL`,
    `exec ${[...commandSandbox, shell].map(shellQuoted).join(' ')} "$@"`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o700 });
}
