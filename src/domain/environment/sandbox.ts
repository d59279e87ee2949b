import * as z from 'zod';
import { BeadsmithError, type ErrorCode } from '../core/errors.ts';

/**
 * The sandboxing of commands and agents: never (`off`), where this machine can (`auto`), or always, so that
 * nothing runs without a sandbox (`require`). A setting of the machine, never of a repository.
 */
export const SandboxSetting = z.enum(['off', 'auto', 'require']);
export type SandboxSetting = z.infer<typeof SandboxSetting>;

/** The program that makes the sandbox; `none` where there is no sandbox. */
export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

/**
 * The reason why there is no sandbox: a person turned it off, the system has none, the program isn't
 * installed, the system forbids it, or agents run on a server that the person started.
 */
export const SandboxGap = z.enum(['off', 'unsupported', 'missing', 'blocked', 'ownServer']);
export type SandboxGap = z.infer<typeof SandboxGap>;

/** The error whose sentence and next step say each gap, so that the words are the same everywhere. */
const gapErrors = {
  off: 'SANDBOX_OFF',
  unsupported: 'SANDBOX_UNSUPPORTED',
  missing: 'SANDBOX_MISSING',
  blocked: 'SANDBOX_BLOCKED',
  ownServer: 'SANDBOX_OWN_SERVER',
} as const satisfies Record<SandboxGap, ErrorCode>;

/** Returns the error to throw where nothing may start without a sandbox. */
export function noSandbox(gap: SandboxGap): BeadsmithError {
  return new BeadsmithError(gapErrors[gap]);
}

/**
 * Returns bubblewrap's own message from an output, if it failed before it started its program: then the
 * output is nothing but its lines. Undefined if the program was started.
 */
export function sandboxProblem(output: string): string | undefined {
  const lines = output.slice(0, longestProblem).trim().split('\n');
  return lines.every((line) => line.startsWith('bwrap: '))
    ? lines.map((line) => line.trim()).join(' ')
    : undefined;
}

const longestProblem = 2_000;

/** The person's setting, else `BEADSMITH_SANDBOX`, else `auto`. Throws INVALID_INPUT. */
export function sandboxSetting(
  given: unknown,
  env: Readonly<Record<string, string | undefined>>,
): SandboxSetting {
  const result = SandboxSetting.safeParse(given ?? (env['BEADSMITH_SANDBOX'] || 'auto'));
  if (result.success) return result.data;
  throw new BeadsmithError('INVALID_INPUT', {
    what: 'The setting of the sandbox',
    reason: `it is one of ${SandboxSetting.options.join(', ')}`,
  });
}

/** A host, with a port if it isn't that of the web; `.example.com` stands for all hosts below it. */
export const SandboxHosts = z.array(z.string().regex(/^\.?[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?$/));

/** The person's hosts, else `BEADSMITH_SANDBOX_HOSTS`, divided by commas. Throws INVALID_INPUT. */
export function sandboxHosts(
  given: readonly string[] | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const named = (env['BEADSMITH_SANDBOX_HOSTS'] ?? '').split(',').map((host) => host.trim());
  const result = SandboxHosts.safeParse(given ?? named.filter((host) => host !== ''));
  if (result.success) return result.data;
  throw new BeadsmithError('INVALID_INPUT', {
    what: 'The hosts of the sandbox',
    reason: 'each is a host name such as registry.example.com',
  });
}
