import { fileURLToPath } from 'node:url';

/**
 * `out`: ports on the loopback of the box and the sockets outside that they lead to. `in`: sockets outside,
 * and the ports inside that they lead to.
 */
export interface Ways {
  readonly out?: readonly (readonly [port: number, socket: string])[];
  readonly in?: readonly (readonly [socket: string, port: number])[];
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The one file of ours that a box with relays shows. */
export const insideProgram = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './inside.ts' : './sandboxInside.js', import.meta.url),
);

/** A program that has ways out of its box, or in: what `wrap` of the sandbox is then given. */
export function withWays({ program, args, env }: Started, ways: Ways): Started {
  return {
    program: process.execPath,
    args: [insideProgram, JSON.stringify(ways), program, ...args],
    // The editor's own executable is a Node only when it is told so.
    env: { ...env, ELECTRON_RUN_AS_NODE: '1', NODE_NO_WARNINGS: '1' },
  };
}
