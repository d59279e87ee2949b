/** This machine's equipment for setup and coding. */
export interface HostFacts {
  readonly system: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /** With the first line about their version; empty without an answer in time. */
  readonly tools: readonly { readonly name: string; readonly version: string }[];
  readonly missing: readonly string[];
  readonly containers: readonly string[];
}

/** The facts for a prompt. */
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
/** Of tools without `--version`. */
const versionArguments: Readonly<Record<string, string>> = { go: 'version', java: '-version' };

/** The searched programs, with their version arguments. */
export const knownTools: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  toolNames.map((name) => [name, [versionArguments[name] ?? '--version']]),
);
