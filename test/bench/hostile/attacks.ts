import * as z from 'zod';
import { readFixture } from '../../support/readFixture.ts';
import type { Victim } from './victim.ts';

const Attacks = z.record(
  z.string(),
  z.array(
    z.strictObject({
      name: z.string(),
      command: z.string().optional(),
      /** In place of a command: arguments of Node's `connect`. */
      connect: z.string().optional(),
      leaves: z.string().optional(),
      quick: z.boolean().default(false),
    }),
  ),
);

/**
 * A command in the worktree. It escaped if it printed the victim's secret or `ESCAPED`, reached or changed
 * anything outside, or left a process of the name `leaves`.
 */
export interface Attack {
  readonly area: string;
  readonly name: string;
  /** `@…@` are places of the victim, ports, and calls of the kernel. */
  readonly command: string;
  readonly leaves: string | undefined;
  readonly quick: boolean;
}

/** Its attacks need the built program. */
export const commandLine = 'the command line';

/** Its attacks are made beside the agent's server. */
export const agentServer = 'the server of agents';

export const attacks: readonly Attack[] = Object.entries(
  readFixture('hostile-commands.yaml', Attacks),
).flatMap(([area, list]) =>
  list.map(({ name, command, connect, leaves, quick }) => ({
    area,
    name,
    command: command ?? connecting(connect ?? ''),
    leaves,
    quick,
  })),
);

/** Within the sandbox of the agents' server. */
export const serverPorts = { server: 24_117, models: 43_127 } as const;

/** Calls for which there are no commands everywhere. */
const calls =
  process.arch === 'arm64'
    ? { keyctl: 219, addKey: 217, mknod: 33 }
    : { keyctl: 250, addKey: 248, mknod: 133 };

/** The victim's process may be another one later. */
export function commandOn(victim: Victim, { command }: Attack): string {
  const git = `${victim.repository}/.git`;
  const places: Readonly<Record<string, string | number>> = {
    ...Object.fromEntries(Object.entries(victim)),
    ...calls,
    git,
    own: `${git}/worktrees/SHOP-1`,
    serverPort: serverPorts.server,
    modelsPort: serverPorts.models,
  };
  return command.replaceAll(/@(\w+)@/g, (_mark, name: string) => {
    const place = places[name];
    if (place === undefined) throw new Error(`A victim has no ${name}`);
    return String(place);
  });
}

function connecting(to: string): string {
  const script = `require('net').connect(${to}).on('connect', function () { console.log('ESCAPED'); this.destroy(); }).on('error', () => {})`;
  return `node -e '${script.replaceAll("'", `'\\''`)}'`;
}
