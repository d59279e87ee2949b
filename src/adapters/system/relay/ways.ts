import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { Box, Program } from '../../../engine/ports/sandboxPort.ts';
import {
  proxyNames,
  registryPort,
  registryHosts,
  proxyVariables,
  registryVariables,
} from './registryHosts.ts';
import { openRegistryRelay, socketFolder } from './registryRelay.ts';

/** `out`: ports in the sandbox and the sockets they lead to. `in`: sockets, and the ports inside. */
export interface Ways {
  readonly out?: readonly (readonly [port: number, socket: string])[];
  readonly in?: readonly (readonly [socket: string, port: number])[];
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The one file of ours that a sandbox with relays shows. */
export const insideProgram = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inside.ts' : './sandboxInside.js', import.meta.url),
);

/** A program that has ways out of its sandbox, or in: what `wrap` of the sandbox is then given. */
export function withWays({ program, args, env }: Started, ways: Ways): Started {
  return {
    program: process.execPath,
    args: [insideProgram, JSON.stringify(ways), program, ...args],
    // The editor's own executable is a Node only when it is told so.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
  };
}

/** A command with a way to package registries, and the sandbox that shows it. */
export interface RegistryWay {
  readonly program: Program;
  readonly box: Box;
  /** Closes the way. Answers what to add to the command's output: the hosts that were refused. */
  readonly end: () => Promise<string | undefined>;
}

/** Lets a command fetch packages from a sandbox without a network (docs/decisions/108-registry-relay.md). */
export async function openRegistryWay(
  program: Program,
  box: Box,
  {
    env,
    sandboxHosts,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly sandboxHosts: readonly string[] },
): Promise<RegistryWay> {
  const sockets = await socketFolder();
  const hosts = registryHosts(env, sandboxHosts);
  const relay = await openRegistryRelay({ hosts, env, socket: join(sockets.path, 'registry.sock') });
  const own = Object.fromEntries(Object.entries(program.env).filter(([name]) => !proxyNames.has(name)));
  const variables = { ...own, ...registryVariables(env), ...proxyVariables(hosts) };
  return {
    program: withWays({ ...program, env: variables }, { out: [[registryPort, relay.socket]] }),
    box: { ...box, readOnly: [...box.readOnly, sockets.path, insideProgram] },
    end: async () => {
      await relay.close();
      await sockets.remove();
      if (relay.refused.length === 0) return undefined;
      return `The sandbox refused connections to ${relay.refused.join(', ')}. The setting beadsmith.sandboxHosts allows hosts.`;
    },
  };
}
