import * as z from 'zod';
import type { HostFacts } from '../environment/hostFacts.ts';

/**
 * A runner's abilities by label: `system`, `sandbox`, `tool:<name>` with its version, `provider:<name>` with
 * the number of its models, `forge:<host>` where it has a sign-in. Told by the runner itself.
 */
export const Abilities = z.record(z.string().max(100), z.string().max(200));
export type Abilities = Readonly<z.infer<typeof Abilities>>;

interface Machine {
  readonly facts: HostFacts;
  /** The reason why agents work without a sandbox. */
  readonly unsandboxed: string | undefined;
  /** As `provider/model`, of providers with a login. */
  readonly models: readonly string[];
}

const most = 100;
/** The label of a sign-in is this and the forge's host. */
export const forgePrefix = 'forge:';

/** Without paths and logins. */
export function abilitiesOf({ facts, unsandboxed, models }: Machine): Abilities {
  const counts = new Map<string, number>();
  for (const model of models) {
    const [provider = ''] = model.split('/');
    counts.set(provider, (counts.get(provider) ?? 0) + 1);
  }
  const labels: readonly (readonly [string, string])[] = [
    ['system', facts.system],
    ['sandbox', unsandboxed === undefined ? 'yes' : `no: ${unsandboxed}`],
    ...[...counts].map(([name, count]) => [`provider:${name}`, String(count)] as const),
    ...facts.tools.map(({ name, version }) => [`tool:${name}`, version] as const),
  ];
  return Object.fromEntries(
    labels.slice(0, most).map(([label, value]) => [label.slice(0, 100), value.slice(0, 200)]),
  );
}

/** Of a runner without space, which takes no tickets. */
export const fullDisk: Abilities = { disk: 'full' };

/** The ability to sign in where a repository is, whose name in a team begins with its host. */
export function forgeAbility(repository: string): string {
  return `${forgePrefix}${repository.split('/')[0] ?? ''}`;
}

/** The abilities in one line: tools without versions. */
export function abilitiesText(can: Abilities): string {
  const named = (prefix: string): string =>
    Object.keys(can)
      .flatMap((label) => (label.startsWith(prefix) ? [label.slice(prefix.length)] : []))
      .join(', ');
  const sandbox = can['sandbox'] === undefined ? '' : `sandbox: ${can['sandbox']}`;
  const parts = [
    can['disk'] === undefined ? '' : `disk ${can['disk']}`,
    can['system'] ?? '',
    sandbox,
    ...(['provider', 'forge', 'tool'] as const).map((kind) => {
      const names = named(`${kind}:`);
      return names === '' ? '' : `${kind}s: ${names}`;
    }),
  ];
  return parts.filter((part) => part !== '').join('; ');
}
