import * as z from 'zod';
import { lastLines, plainOutput } from '../../base/lastLines.ts';
import { oneLine } from '../../base/oneLine.ts';
import { refusedHosts } from '../environment/refusedNetwork.ts';
import { type ErrorArgs, filled, type Words } from '../core/errors.ts';
import type { Evidence } from '../core/evidence.ts';
import { contradictionText } from '../proof/contradiction.ts';
import { testResultsOf } from '../proof/testResults.ts';
import { Limits } from '../settings/settings.ts';

type FailureRemedy = 'retry' | 'limit' | 'log' | 'changes' | 'setup';

interface Cause {
  readonly sentence: string;
  readonly nextStep: string;
  /** Most helpful first. */
  readonly remedies: readonly FailureRemedy[];
}

const noNetwork =
  'If it needs a program on this machine, return to the setup plan and list the program under services. If it downloads something, do so in the setup and allow the host in beadsmith.sandboxHosts. Then retry.';

/** Causes of failure: a sentence with `{name}` holes, and remedies. Views translate them. */
export const failureCauses = {
  checks_failed: {
    sentence: '`{command}` failed with exit code {exit}.',
    nextStep: 'Retry with a note that says what to do differently, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  check_contradicted: {
    sentence: '`{command}` exited with 0, {reason}.',
    nextStep: 'Retry with a note that says what to do differently, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  check_killed: {
    sentence: '`{command}` was terminated by {signal}.',
    nextStep: 'Find out what ended it, for example insufficient memory, then retry.',
    remedies: ['log', 'retry'],
  },
  check_not_started: {
    sentence: '`{command}` could not be started.',
    nextStep: 'Correct the command: request changes to the plan, or return to the setup plan.',
    remedies: ['changes', 'setup', 'log'],
  },
  check_timed_out: {
    sentence: '`{command}` timed out after {seconds} s, the time limit of commands.',
    nextStep: 'Raise the time limit of commands, or make the command faster, then retry.',
    remedies: ['limit', 'retry'],
  },
  no_network: {
    sentence: '`{command}` failed with exit code {exit}. No network here: {hosts} refused.',
    nextStep: noNetwork,
    remedies: ['setup', 'retry', 'log'],
  },
  setup_failed: {
    sentence: 'In a clean checkout the setup command `{command}` failed with exit code {exit}.',
    nextStep: 'Return to the setup plan and correct its commands, or retry.',
    remedies: ['setup', 'retry', 'log'],
  },
  setup_blocked: {
    sentence: 'The agent could not prepare it: {reason}',
    nextStep: 'Provide what is missing or return to the setup plan, then retry with a note.',
    remedies: ['retry', 'setup', 'log'],
  },
  setup_incomplete: {
    sentence: 'It does not match the setup plan: {reason}',
    nextStep: 'Return to the setup plan and correct it, or retry with a note.',
    remedies: ['setup', 'retry', 'log'],
  },
  setup_timed_out: {
    sentence: 'The agent did not finish within {seconds} s, the time limit of the setup.',
    nextStep: 'Raise the time limit of the setup, then retry.',
    remedies: ['limit', 'retry'],
  },
  tool_missing: {
    sentence: 'A program is missing: {reason}',
    nextStep: 'Install it, or return to the setup plan and add a step that does, then retry.',
    remedies: ['setup', 'retry', 'log'],
  },
  service_ended: {
    sentence: 'The service {service} ended before it was ready: `{command}` exited with {exit}.',
    nextStep: 'Return to the setup plan and correct how the service is started, or retry.',
    remedies: ['setup', 'retry', 'log'],
  },
  service_not_ready: {
    sentence:
      'The service {service} was not ready within {seconds} s, the time that the setup plan gives it: `{command}` did not succeed.',
    nextStep:
      'Return to the setup plan: correct the commands of the service or raise its ready_timeout_seconds. Or retry.',
    remedies: ['setup', 'retry', 'log'],
  },
  tests_weaker: {
    sentence: 'Tests would prove less than before, and a person did not accept that.',
    nextStep:
      'Retry with a note that says how to reach the goal, or accept the changes when you are asked again.',
    remedies: ['retry', 'changes'],
  },
  never_red: {
    sentence: 'The checks pass without the work, so they prove nothing about it.',
    nextStep: 'Retry with a note that says what a test has to show, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  not_acceptable: {
    sentence: 'The work cannot be accepted as it is: {reason}',
    nextStep: 'Read the reason, then retry with a note, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  hook_refused: {
    sentence: 'The git hook {hook} refused the commit: {reason}',
    nextStep:
      'Read the output of the hook, then retry with a note. To commit without it, set it to `use: leave` in the setup plan.',
    remedies: ['retry', 'setup', 'log'],
  },
  nothing_changed: {
    sentence: 'No file was changed, and `{command}` fails.',
    nextStep: 'Retry with a note that says what is to be changed, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  marker: {
    sentence: 'The session ended without a valid status marker.',
    nextStep: 'Check the log to see how it ended, then retry.',
    remedies: ['log', 'retry'],
  },
  unclear: {
    sentence: 'It is unclear who wrote the report that ended the session: {reason}',
    nextStep:
      'Check the answer in the log: it may have been dictated by something that the agent read. Then retry.',
    remedies: ['log', 'retry'],
  },
  not_done_offline: {
    sentence: 'The agent reported that the work is not done. No network here: {hosts} refused.',
    nextStep: noNetwork,
    remedies: ['setup', 'retry', 'log'],
  },
  not_done: {
    sentence: 'The agent reported that the work is not done.',
    nextStep: 'Read the reason it gave, then retry with a note, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  timed_out: {
    sentence: 'The iteration timed out after {seconds} s.',
    nextStep: 'Raise the time limit of iterations, then retry.',
    remedies: ['limit', 'retry'],
  },
  session_lost: {
    sentence: 'The session with the model was lost.',
    nextStep: 'Retry starts a new session.',
    remedies: ['retry', 'log'],
  },
  context_added: {
    sentence: 'A person added context and restarted the iteration.',
    nextStep: 'The next iteration includes it.',
    remedies: ['log'],
  },
  no_progress: {
    sentence: 'No progress: the checks failed in the same way again.',
    nextStep: 'Retry with a note that says what to do differently, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  tool_loop: {
    sentence: 'The agent repeated itself without making progress.',
    nextStep: 'Retry with a note that says what to do instead, or choose another model.',
    remedies: ['retry', 'log'],
  },
  context_overflow: {
    sentence: 'The session exceeded the context window of the model.',
    nextStep:
      'Request changes to the plan to split the bead, or retry with a model that has a larger context window.',
    remedies: ['changes', 'retry'],
  },
  review: {
    sentence: 'The reviewer found problems that were not fixed: {reason}',
    nextStep: 'Read the review findings, then retry with a note, or request changes to the plan.',
    remedies: ['retry', 'changes', 'log'],
  },
  model_failed: {
    sentence: 'The model failed: {reason}',
    nextStep: 'Retry. If the problem persists, check the provider.',
    remedies: ['retry', 'log'],
  },
  forge_step: {
    sentence: 'The step "{step}" of the check "{check}" failed on GitHub.',
    nextStep: 'Run the failed checks again, or have them fixed.',
    remedies: ['changes'],
  },
  forge_check: {
    sentence: 'The check "{check}" failed on GitHub ({reason}).',
    nextStep: 'Run the failed checks again, or have them fixed.',
    remedies: ['changes'],
  },
} as const satisfies Readonly<Record<string, Cause>>;

type FailureCause = keyof typeof failureCauses;

/**
 * A failure of an iteration, setup or final test. `args` fill the sentence; `limit` ended it; `tests` failed;
 * `output`: telling lines, bounded and without secrets.
 */
export const Failure = z.object({
  cause: z.custom<FailureCause>(
    (value) => typeof value === 'string' && Object.hasOwn(failureCauses, value),
    'That is no cause of a failure.',
  ),
  args: z.record(z.string(), z.union([z.string(), z.number()])),
  limit: Limits.keyof().nullable(),
  tests: z.array(z.string()),
  output: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** A failure. `about`: an output, of which the end is kept, unless `excerpt` says more. */
export function failure(
  cause: FailureCause,
  args: ErrorArgs = {},
  {
    limit = null,
    about = '',
    excerpt,
    tests = [],
  }: {
    readonly limit?: Failure['limit'];
    readonly about?: string;
    readonly excerpt?: string | undefined;
    readonly tests?: readonly string[];
  } = {},
): Failure {
  const shown = Object.entries(args).map(
    ([name, value]) =>
      [name, typeof value === 'string' ? oneLine(lastLines(value), longestText) : value] as const,
  );
  const output = excerpt === undefined ? lastLines(about) : plainOutput(excerpt);
  return { cause, args: Object.fromEntries(shown), limit, tests: tests.slice(0, mostTests), output };
}

const mostTests = 20;
const longestText = 300;

/** The failure of a failed command. */
export function commandFailure(evidence: Evidence): Failure {
  const { command, exitCode, signal, timedOut, durationMs, limit, service, contradicted } = evidence;
  const output = evidence.tail === '' ? evidence.head : evidence.tail;
  const tests = (testResultsOf(evidence)?.failed ?? []).filter(
    (name) => !evidence.knownFailures?.includes(name),
  );
  const details = { about: output, excerpt: evidence.excerpt, tests };
  const seconds = Math.round((limit?.ms ?? durationMs) / 1_000);
  if (service !== undefined)
    return timedOut
      ? failure('service_not_ready', { service, command, seconds }, details)
      : failure('service_ended', { service, command, exit: exitCode ?? signal ?? 'a signal' }, details);
  if (timedOut)
    return failure('check_timed_out', { command, seconds }, { ...details, limit: 'commandTimeout' });
  if (exitCode !== null && evidence.unreachable) {
    const hosts = hostsText(evidence.unreachable);
    return failure('no_network', { command, exit: exitCode, hosts }, details);
  }
  if (contradicted)
    return failure('check_contradicted', { command, reason: contradictionText(contradicted) }, details);
  if (exitCode !== null)
    return failure(
      evidence.bootstrap === true ? 'setup_failed' : 'checks_failed',
      { command, exit: exitCode },
      details,
    );
  return signal === null
    ? failure('check_not_started', { command }, details)
    : failure('check_killed', { command, signal }, details);
}

/** The failure of an agent that reports unfinished work. */
export function notDone(claim: string, { isOffline }: { readonly isOffline: boolean }): Failure {
  const hosts = isOffline ? refusedHosts(claim) : undefined;
  return hosts
    ? failure('not_done_offline', { hosts: hostsText(hosts) }, { about: claim })
    : failure('not_done', {}, { about: claim });
}

function hostsText(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'a host' : hosts.map((host) => `\`${host}\``).join(', ');
}

/** Reason and advice as sentences. `words` translates. */
export function failureText(
  { cause, args }: Pick<Failure, 'cause' | 'args'>,
  words: Words = filled,
): { readonly reason: string; readonly advice: string } {
  const { sentence, nextStep } = failureCauses[cause];
  return { reason: words(sentence, args), advice: words(nextStep, args) };
}

/** The failure in an error's diagnostics, if any. */
export function failureBehind(diagnostics: Readonly<Record<string, unknown>>): Failure | undefined {
  return Failure.safeParse(diagnostics['failure']).data;
}
