import { randomInt } from 'node:crypto';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Box, Program, Sandbox } from '../../../engine/ports/sandboxPort.ts';
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

type Environment = Readonly<Record<string, string | undefined>>;

/** The orders to the guard of a sandboxed server, for what it does beside it. They contain keys. */
export const SandboxOrders = z.object({
  args: z.array(z.string()),
  port: z.number(),
  /** A folder that the sandbox shows: `server.sock` is made inside, `model.sock`, `registry.sock` outside. */
  sockets: z.string(),
  upstreams: z.record(z.string(), Upstream),
  asked: z.string(),
  hosts: z.array(z.string()),
  /** The proxies of the person, which the relays use. */
  proxies: z.record(z.string(), z.string()),
});
export type SandboxOrders = z.infer<typeof SandboxOrders>;

/** The relay to models on the loopback of a sandbox. */
const modelPort = 43_127;
export const modelRelay = `http://127.0.0.1:${String(modelPort)}`;

/** The variables of a sandboxed server that depend on its sandbox. */
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

/** The hosts reached without the model relay: registries for setup, and those of logins without a key. */
function hostsOf(domain: Domain, sealed: SealedProviders, { env, sandboxHosts }: Outward): readonly string[] {
  return [...(domain.kind === 'setup' ? registryHosts(env, sandboxHosts) : []), ...sealed.hosts];
}

/** The server's program as it is started in its sandbox. */
interface SandboxedServer {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** For its guard. */
  readonly orders: SandboxOrders;
  /** Starts each command of an agent in a sandbox of its own. Empty where the system can't nest them. */
  readonly commandSandbox: readonly string[];
}

/** Makes the sandbox of a server and the folder of its sockets. */
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
  await mkdir(options.asked, { recursive: true, mode: 0o700 });
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
  const box: Box = {
    domain: domain.kind,
    tree: domain.tree ?? server.folder,
    treeAccess: domain.kind === 'planning' && domain.tree !== undefined ? 'ro' : 'rw',
    cwd: server.folder,
    readWrite: [server.folder, sockets],
    readOnly: [server.config, server.program, insideProgram],
    folder: sandboxFolder(server.folder),
    network: 'none',
    holdsBoxes: true,
  };
  // Before the first ticket there is no folder of worktrees, and what isn't there can't be shown.
  if (domain.kind === 'planning') await mkdir(box.tree, { recursive: true });
  const wrapped = await sandbox.wrap(withWays({ program: server.program, args, env: server.env }, ways), box);
  // These lie in the sandbox, but for the configuration, which is only read.
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
 * The beginning of a command line that starts a command of an agent in a sandbox within the server's: it
 * reaches neither the server nor the relays, reads neither their variables nor the server's data, and can't
 * replace the shell that brought it there. A setup keeps its way to registries. Empty where the system makes
 * no sandbox in a sandbox. `folder`, `sockets`: those of the server.
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
      // What OpenCode cut off of an output is kept in a file, which it names.
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
