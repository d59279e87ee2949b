import { spawnSync } from 'node:child_process';
import { c } from './weakening/c.ts';
import { go } from './weakening/go.ts';
import { java } from './weakening/java.ts';
import { javascript } from './weakening/javascript.ts';
import { python } from './weakening/python.ts';
import { rust } from './weakening/rust.ts';
import { shell } from './weakening/shell.ts';
import type { WeakeningRow } from './weakening/weakeningRow.ts';

/** Every way to weaken tests that is tried, by language. */
export const weakenings: Readonly<Record<string, readonly WeakeningRow[]>> = {
  javascript,
  python,
  shell,
  c,
  go,
  rust,
  java,
};

/** How to see whether a machine has a tool that isn't everywhere. */
const probes: Readonly<Record<string, readonly [string, ...string[]]>> = {
  pytest: ['python3', '-m', 'pytest', '--version'],
  unittest: ['python3', '--version'],
  make: ['make', '--version'],
  cc: ['cc', '--version'],
  ctest: ['ctest', '--version'],
  go: ['go', 'version'],
  cargo: ['cargo', '--version'],
  mvn: ['mvn', '-v'],
};
const known = new Map<string, string>();

/**
 * Tools that fetch what tests need, which a machine may not let them: they are left out where their first row
 * fails before the work.
 */
export const fetching: readonly string[] = ['go', 'cargo', 'mvn'];

/** Why rows of a tool can't be run on this machine; empty if they can. */
export function missing(tool: string): string {
  const found = known.get(tool) ?? probed(tool);
  known.set(tool, found);
  return found;
}

function probed(tool: string): string {
  const [program, ...args] = probes[tool] ?? ['true'];
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
    ? ''
    : `this machine doesn't run ${[program, ...args].join(' ')}`;
}
