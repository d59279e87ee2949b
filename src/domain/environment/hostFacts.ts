/** The equipment of this machine, as far as setup and coding need it. */
export interface HostFacts {
  /** For example `Debian GNU/Linux 12, x64`. */
  readonly system: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /** Programs that were found, and the first line about their version; empty without an answer in time. */
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

const toolNames = [
  'git node npm pnpm yarn bun deno corepack python3 pip3 uv poetry pytest go cargo rustc gcc clang make',
  'cmake java mvn gradle dotnet ruby bundle php composer mix swift psql redis sqlite3',
].flatMap((line) => line.split(' '));
/** The arguments of tools that report their version otherwise than by `--version`. */
const versionArguments: Readonly<Record<string, string>> = { go: 'version', java: '-version' };

/** The programs that are searched for, with the arguments that make each report its version. */
export const knownTools: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  toolNames.map((name) => [name, [versionArguments[name] ?? '--version']]),
);
