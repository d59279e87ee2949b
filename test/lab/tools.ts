import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { labFolder } from '../../.build/paths.mjs';

const probes = {
  python3: ['python3', '--version'],
  pytest: ['python3', '-m', 'pytest', '--version'],
  go: ['go', 'version'],
  cargo: ['cargo', '--version'],
  cc: ['cc', '--version'],
  make: ['make', '--version'],
  npm: ['npm', '--version'],
  pnpm: ['pnpm', '--version'],
  yarn: ['yarn', '--version'],
  'ssh-keygen': ['ssh-keygen', '-?'],
} as const;
export type ToolName = keyof typeof probes;
export const toolNames = Object.keys(probes) as ToolName[];

/** Installed once for this user. */
const fromNpm: Partial<Record<ToolName, { readonly name: string; readonly version: string }>> = {
  pnpm: { name: 'pnpm', version: '10.24.0' },
  yarn: { name: '@yarnpkg/cli-dist', version: '4.12.0' },
};

/** Undefined if everything is there. Installs what npm gives, and puts it on the PATH. */
export function missingTool(needs: readonly ToolName[]): string | undefined {
  for (const name of needs) {
    if (isThere(name)) continue;
    const given = fromNpm[name];
    if (!given) return `${name} isn't installed`;
    const problem = install(given);
    if (problem !== undefined) return `${name} isn't installed, and npm can't install it: ${problem}`;
  }
  return undefined;
}

function isThere(name: ToolName): boolean {
  const [program, ...args] = probes[name];
  // ssh-keygen has no harmless option: that it starts is enough.
  return (
    spawnSync(program, args, { stdio: 'ignore' }).error === undefined &&
    (name === 'ssh-keygen' || works(program, args))
  );
}

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function install({ name, version }: { readonly name: string; readonly version: string }): string | undefined {
  const folder = join(labFolder(), `${name.replaceAll('/', '-')}-${version}`);
  const bin = join(folder, 'node_modules', '.bin');
  try {
    if (!existsSync(bin)) {
      mkdirSync(folder, { recursive: true });
      execFileSync(
        'npm',
        ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', `${name}@${version}`],
        { stdio: 'pipe' },
      );
    }
    process.env['PATH'] = `${bin}${delimiter}${process.env['PATH'] ?? ''}`;
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).split('\n')[0];
  }
}
