import * as z from 'zod';
import { BeadsmithError, type ErrorArgs, type ErrorCode } from '../../../domain/core/errors.ts';
import type { LimitName } from '../../../domain/settings/limits.ts';
import type { AgentFailure, SessionRef } from '../../../engine/ports/ports.ts';
import type { OpenSession } from '../structured/askTypes.ts';

const codes = {
  auth: 'PROVIDER_AUTH',
  quota: 'PROVIDER_QUOTA',
  provider: 'PROVIDER_ERROR',
  hung: 'PROVIDER_ERROR',
  aborted: 'PROVIDER_ERROR',
  garbage: 'RESPONSE_INVALID',
  truncated: 'OUTPUT_TRUNCATED',
  gone: 'OPENCODE_GONE',
  unknown_model: 'MODEL_UNKNOWN',
  overflow: 'CONTEXT_OVERFLOW',
  loop: 'AGENT_LOOP',
  capped: 'BUDGET_EXHAUSTED',
  unformatted: 'RESPONSE_INVALID',
} as const satisfies Record<AgentFailure['kind'], ErrorCode>;

/**
 * A provider's failure as an error with a code. `models` fills the sentence of MODEL_UNKNOWN. It is
 * continuable only if `interrupts` is set and the failure says that asking the same session again makes sense
 * (docs/decisions/038-provider-failures.md).
 */
export function providerError(
  failure: AgentFailure,
  about: {
    readonly member: string;
    readonly what: string;
    readonly session: SessionRef;
    readonly interrupts: boolean;
    readonly models?: readonly string[];
    /** The ticket's limit that ended it. */
    readonly limit?: LimitName;
  },
): BeadsmithError {
  const args: ErrorArgs = {
    model: about.member,
    what: about.what,
    reason: failure.message,
    models: about.models?.join(', ') ?? '',
  };
  return new BeadsmithError(codes[failure.kind], args, {
    continuable: about.interrupts && failure.continuable,
    diagnostics: {
      session: about.session.id,
      directory: about.session.directory,
      member: about.member,
      failure: failure.kind,
      statusCode: failure.statusCode,
      ...(about.limit ? { limit: about.limit } : {}),
    },
  });
}

/** Errors of a model call that are failures of the work, not of the run: a fresh session may succeed. */
export const failedCall: readonly ErrorCode[] = [
  'RESPONSE_INVALID',
  'OUTPUT_TRUNCATED',
  'LIMIT_EXPIRED',
  'SESSION_LOST',
  'CONTEXT_OVERFLOW',
  'AGENT_LOOP',
];

/** Errors of a call whose answer has a substitute: all but those that concern the run as a whole. */
export const replaceableCall: readonly ErrorCode[] = [
  ...failedCall,
  'PROVIDER_AUTH',
  'PROVIDER_QUOTA',
  'PROVIDER_ERROR',
  'OPENCODE_GONE',
  'OPENCODE_START_FAILED',
  'MODEL_UNKNOWN',
  'CONTEXT_OVER_BUDGET',
];

/**
 * Returns true if an error has one of these codes and is final. A continuable one belongs to the engine and
 * must be thrown on.
 */
export function isFailureOf(error: unknown, codes: readonly ErrorCode[]): error is BeadsmithError {
  return error instanceof BeadsmithError && !error.continuable && codes.includes(error.code);
}

const LeftSession = z.object({ session: z.string(), directory: z.string(), prompts: z.number().int() });

/** The session that answered, and gave nothing that can be read. It still has all it knows. */
export function leftSession({ code, diagnostics }: BeadsmithError): OpenSession | undefined {
  const { data } = LeftSession.safeParse(diagnostics);
  return code !== 'RESPONSE_INVALID' || !data
    ? undefined
    : { id: data.session, directory: data.directory, prompts: data.prompts };
}
