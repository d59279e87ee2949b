import { join } from 'node:path';
import type { Box, Program } from '../../engine/ports/sandboxPort.ts';
import { insideProgram, withWays } from '../system/relay/insideProgram.ts';
import { proxyNames, proxyVariables, registryPort } from '../system/relay/proxyVariables.ts';
import { registryHosts, registryVariables } from '../system/relay/registryHosts.ts';
import { openRegistryRelay, socketFolder } from '../system/relay/registryRelay.ts';

/** A command with a way to package registries, and the box that shows it. */
export interface RegistryWay {
  readonly program: Program;
  readonly box: Box;
  /** Closes the way. Answers what to add to the command's output: the hosts that were refused. */
  readonly end: () => Promise<string | undefined>;
}

/** Lets a command fetch packages from a box without a network (docs/decisions/108-registry-relay.md). */
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
