import { spawnSync } from 'node:child_process';
import { readWeakenings, type WeakeningRow } from './row.ts';

const languages = ['javascript', 'python', 'shell', 'c', 'go', 'rust', 'java'];

export const weakenings: Readonly<Record<string, readonly WeakeningRow[]>> = Object.fromEntries(
  languages.map((language) => [language, readWeakenings(language)]),
);

/** A question about it is one too many. */
export const honestWork = readWeakenings('honest-work');

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

/** Tools that fetch what tests need: left out where their first row fails before the work. */
export const fetching: readonly string[] = ['go', 'cargo', 'mvn'];

/** Empty if rows of the tool can run here. */
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
