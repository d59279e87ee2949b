import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { SandboxPolicy, Program } from '../../../engine/ports/sandboxPort.ts';
import {
  proxyNames,
  registryPort,
  registryHosts,
  proxyVariables,
  registryVariables,
} from './registryHosts.ts';
import { openRegistryRelay, socketFolder } from './registryRelay.ts';
import { type Environment, asNode } from '../commandEnvironment.ts';

/** `out`: ports in the sandbox and their sockets. `in`: sockets, and ports inside. */
export interface Ways {
  readonly out?: readonly (readonly [port: number, socket: string])[];
  readonly in?: readonly (readonly [socket: string, port: number])[];
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export const insideProgram = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inside.ts' : './sandboxInside.js', import.meta.url),
);

/** Gives a program ways out or in; what the sandbox's `wrap` gets. */
export function withWays({ program, args, env }: Started, ways: Ways): Started {
  return {
    program: process.execPath,
    args: [insideProgram, JSON.stringify(ways), program, ...args],
    env: { ...env, ...asNode },
  };
}

export interface RegistryWay {
  readonly program: Program;
  readonly policy: SandboxPolicy;
  /** Answers the refused hosts, as a remark for the output. */
  readonly end: () => Promise<string | undefined>;
}

/** Lets a command fetch packages from a sandbox without network (docs/decisions/108-registry-relay.md). */
export async function openRegistryWay(
  program: Program,
  policy: SandboxPolicy,
  { env, sandboxHosts }: { readonly env: Environment; readonly sandboxHosts: readonly string[] },
): Promise<RegistryWay> {
  const sockets = await socketFolder();
  const hosts = registryHosts(env, sandboxHosts);
  const relay = await openRegistryRelay({ hosts, env, socket: join(sockets.path, 'registry.sock') });
  const own = Object.fromEntries(Object.entries(program.env).filter(([name]) => !proxyNames.has(name)));
  const variables = { ...own, ...registryVariables(env), ...proxyVariables(hosts) };
  return {
    program: withWays({ ...program, env: variables }, { out: [[registryPort, relay.socket]] }),
    policy: { ...policy, readOnly: [...policy.readOnly, sockets.path, insideProgram] },
    end: async () => {
      await relay.close();
      await sockets.remove();
      if (relay.refused.length === 0) return undefined;
      return `The sandbox refused connections to ${relay.refused.join(', ')}. The setting beadsmith.sandboxHosts allows hosts.`;
    },
  };
}
