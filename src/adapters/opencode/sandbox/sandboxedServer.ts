import { randomInt } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { SandboxPolicy, Program, Sandbox } from '../../../engine/ports/sandboxPort.ts';
import { insideProgram, withWays } from '../../system/relay/ways.ts';
import {
  proxyVariables,
  registryPort,
  registryHosts,
  registryVariables,
} from '../../system/relay/registryHosts.ts';
import { socketFolder } from '../../system/relay/registryRelay.ts';
import type { Domain } from './domains.ts';
import { Upstream, type SealedProviders } from './providers.ts';
import type { Environment } from '../../system/commandEnvironment.ts';
import { makePrivateFolder } from '../../system/files.ts';

/** Orders for the guard of a sandboxed server. They contain keys. */
export const SandboxOrders = z.object({
  args: z.array(z.string()),
  port: z.number(),
  /** Has `server.sock` of inside, `model.sock` and `registry.sock` of outside. */
  sockets: z.string(),
  upstreams: z.record(z.string(), Upstream),
  asked: z.string(),
  hosts: z.array(z.string()),
  proxies: z.record(z.string(), z.string()),
});
export type SandboxOrders = z.infer<typeof SandboxOrders>;

const modelPort = 43_127;
export const modelRelay = `http://127.0.0.1:${modelPort}`;

export function sandboxVariables(
  domain: Domain,
  sealed: SealedProviders,
  { env, sandboxHosts }: Outward,
): Readonly<Record<string, string>> {
  const hosts = hostsOf(domain, sealed, { env, sandboxHosts });
  return {
    ...(domain.kind === 'setup' ? registryVariables(env) : {}),
    ...(hosts.length === 0 ? {} : proxyVariables(hosts, [modelRelay])),
    OPENCODE_MODELS_URL: `${modelRelay}/models`,
  };
}

interface Outward {
  readonly env: Environment;
  readonly sandboxHosts: readonly string[];
}

/** Hosts besides models: registries for setup, and those of logins without a key. */
function hostsOf(domain: Domain, sealed: SealedProviders, { env, sandboxHosts }: Outward): readonly string[] {
  return [...(domain.kind === 'setup' ? registryHosts(env, sandboxHosts) : []), ...sealed.hosts];
}

interface SandboxedServer {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly orders: SandboxOrders;
  /** Starts each command in its own sandbox; empty where the system can't nest them. */
  readonly commandSandbox: readonly string[];
}

export async function sandboxServer(
  server: Program & { readonly folder: string; readonly config: string },
  options: Outward & {
    readonly sandbox: Sandbox;
    readonly domain: Domain;
    readonly sealed: SealedProviders;
    readonly asked: string;
  },
): Promise<SandboxedServer> {
  const { sandbox, domain, sealed, env } = options;
  const { path: sockets } = await socketFolder();
  await rm(options.asked, { recursive: true, force: true });
  await makePrivateFolder(options.asked);
  const hosts = [...hostsOf(domain, sealed, options)];
  const port = randomInt(20_000, 32_000);
  const at = (name: string) => join(sockets, name);
  const ways = {
    out: [
      [modelPort, at('model.sock')] as const,
      ...(hosts.length === 0 ? [] : [[registryPort, at('registry.sock')] as const]),
    ],
    in: [[at('server.sock'), port] as const],
  };
  const args = ['serve', '--hostname', '127.0.0.1', '--port', String(port)];
  const policy: SandboxPolicy = {
    domain: domain.kind,
    tree: domain.tree ?? server.folder,
    treeAccess: domain.kind === 'planning' && domain.tree !== undefined ? 'ro' : 'rw',
    cwd: server.folder,
    readWrite: [server.folder, sockets],
    readOnly: [server.config, server.program, insideProgram],
    folder: sandboxFolder(server.folder),
    network: 'none',
    holdsSandboxes: true,
  };
  // Before the first ticket there is no folder of worktrees to show.
  if (domain.kind === 'planning') await mkdir(policy.tree, { recursive: true });
  const wrapped = await sandbox.wrap(
    withWays({ program: server.program, args, env: server.env }, ways),
    policy,
  );
  // In the sandbox, but for the configuration, which is read-only.
  const kept = Object.fromEntries(Object.entries(server.env).filter(([name]) => name.startsWith('XDG_')));
  await chmod(sockets, 0o700);
  return {
    program: wrapped.program,
    env: { ...wrapped.env, ...kept },
    commandSandbox: commandSandbox(options, { folder: server.folder, sockets }),
    orders: {
      args: [...wrapped.args],
      port,
      sockets,
      upstreams: sealed.upstreams,
      asked: options.asked,
      hosts,
      proxies: proxiesOf(env),
    },
  };
}

function sandboxFolder(server: string): string {
  return join(server, 'box');
}

/**
 * Starts a command of an agent in a sandbox within the server's. It reaches neither server nor relays, reads
 * neither their variables nor data, and can't replace its shell; setup keeps its way to registries. Empty
 * where sandboxes don't nest.
 */
export function commandSandbox(
  { sandbox, domain }: { readonly sandbox: Sandbox; readonly domain: Domain },
  { folder, sockets }: { readonly folder: string; readonly sockets: string },
): readonly string[] {
  const data = join(folder, 'data', 'opencode');
  const registry = domain.kind === 'setup' ? join(sockets, 'registry.sock') : undefined;
  const start =
    sandbox.inner?.({
      readOnly: [folder],
      hidden: [...['data', 'cache', 'state'].map((name) => join(folder, name)), sockets],
      // OpenCode keeps cut output in a file that it names.
      readWrite: [
        sandboxFolder(folder),
        join(data, 'tool-output'),
        ...(registry === undefined ? [] : [registry]),
      ],
    }) ?? [];
  if (start.length === 0 || registry === undefined) return start;
  const { program, args } = withWays({ program: '', args: [], env: {} }, { out: [[registryPort, registry]] });
  return [
    ...start,
    '/usr/bin/env',
    'ELECTRON_RUN_AS_NODE=1',
    'NODE_NO_WARNINGS=1',
    program,
    ...args.slice(0, -1),
  ];
}

function proxiesOf(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      /^(?:https?|all|no)_proxy$/i.test(name) && value ? [[name, value]] : [],
    ),
  );
}
