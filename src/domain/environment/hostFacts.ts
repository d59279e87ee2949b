/** The equipment of this machine, as far as setup and coding need it. */
export interface HostFacts {
  /** For example `Debian GNU/Linux 12, x64`. */
  readonly system: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /**
   * Programs that were found, and the first line of what they say of their version. Empty where they say
   * nothing in time.
   */
  readonly tools: readonly { readonly name: string; readonly version: string }[];
  /** Of the programs that were looked for. */
  readonly missing: readonly string[];
  /** Container engines that answer, for example `docker 27.1`. */
  readonly containers: readonly string[];
}

/** The facts as a part of a prompt. */
export function describeHost(facts: HostFacts): string {
  const tools = facts.tools.map(({ name, version }) => (version === '' ? name : `${name} ${version}`));
  return [
    `System: ${facts.system}; ${String(facts.cores)} cores, ${String(facts.memoryGiB)} GiB of memory.`,
    `On PATH: ${tools.length > 0 ? tools.join(', ') : 'none of the usual tools'}.`,
    `Not on PATH: ${facts.missing.length > 0 ? facts.missing.join(', ') : 'nothing that was looked for'}.`,
    `Containers: ${facts.containers.length > 0 ? facts.containers.join(', ') : 'no engine answers'}.`,
  ].join('\n');
}

/** The programs that are searched for, with the arguments that make each report its version. */
export const knownTools: Readonly<Record<string, readonly string[]>> = {
  git: ['--version'],
  node: ['--version'],
  npm: ['--version'],
  pnpm: ['--version'],
  yarn: ['--version'],
  bun: ['--version'],
  deno: ['--version'],
  corepack: ['--version'],
  python3: ['--version'],
  pip3: ['--version'],
  uv: ['--version'],
  poetry: ['--version'],
  pytest: ['--version'],
  go: ['version'],
  cargo: ['--version'],
  rustc: ['--version'],
  gcc: ['--version'],
  clang: ['--version'],
  make: ['--version'],
  cmake: ['--version'],
  java: ['-version'],
  mvn: ['--version'],
  gradle: ['--version'],
  dotnet: ['--version'],
  ruby: ['--version'],
  bundle: ['--version'],
  php: ['--version'],
  composer: ['--version'],
  mix: ['--version'],
  swift: ['--version'],
  psql: ['--version'],
  redis: ['--version'],
  sqlite3: ['--version'],
};
