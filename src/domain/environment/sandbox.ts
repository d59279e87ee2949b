import * as z from 'zod';
import { BeadsmithError, type ErrorCode, invalidInput } from '../core/errors.ts';

/**
 * Sandboxing: never, where possible (`auto`), or always (`require`). A machine's setting, never a
 * repository's.
 */
export const SandboxSetting = z.enum(['off', 'auto', 'require']);
export type SandboxSetting = z.infer<typeof SandboxSetting>;

/** The program that makes the sandbox. */
export type SandboxKind = 'bubblewrap' | 'seatbelt' | 'none';

/**
 * The reason for no sandbox: turned off, unsupported system, not installed, forbidden, or a server that a
 * person started.
 */
export const SandboxGap = z.enum(['off', 'unsupported', 'missing', 'blocked', 'ownServer']);
export type SandboxGap = z.infer<typeof SandboxGap>;

const gapErrors = {
  off: 'SANDBOX_OFF',
  unsupported: 'SANDBOX_UNSUPPORTED',
  missing: 'SANDBOX_MISSING',
  blocked: 'SANDBOX_BLOCKED',
  ownServer: 'SANDBOX_OWN_SERVER',
} as const satisfies Record<SandboxGap, ErrorCode>;

/** The error where nothing may start without a sandbox. */
export function noSandbox(gap: SandboxGap): BeadsmithError {
  return new BeadsmithError(gapErrors[gap]);
}

/** bubblewrap's message, if the output is nothing else; undefined if the program started. */
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
  throw invalidInput('The setting of the sandbox', `it is one of ${SandboxSetting.options.join(', ')}`);
}

/** Hosts with optional ports; `.example.com` means all hosts below it. */
export const SandboxHosts = z.array(z.string().regex(/^\.?[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?$/));

/** The person's hosts, else comma-separated `BEADSMITH_SANDBOX_HOSTS`. Throws INVALID_INPUT. */
export function sandboxHosts(
  given: readonly string[] | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const named = (env['BEADSMITH_SANDBOX_HOSTS'] ?? '').split(',').map((host) => host.trim());
  const result = SandboxHosts.safeParse(given ?? named.filter((host) => host !== ''));
  if (result.success) return result.data;
  throw invalidInput('The hosts of the sandbox', 'each is a host name such as registry.example.com');
}
