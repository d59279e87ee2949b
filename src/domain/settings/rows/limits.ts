import * as z from 'zod';
import { KeepRule } from '../../core/cleaning.ts';
import {
  attempts,
  type BudgetPlace,
  cap,
  seconds,
  type SettingObject,
  type SettingRow,
  type SettingRows,
} from './row.ts';

const budgetPers = {
  ticket: { label: 'per ticket', what: 'a ticket', then: 'The ticket pauses when it is reached.' },
  phase: {
    label: 'per phase',
    what: 'each phase of a ticket, such as the interview or coding',
    then: 'The ticket pauses when it is reached.',
  },
  bead: {
    label: 'per bead',
    what: 'each bead, over all its iterations',
    then: 'The ticket pauses when it is reached.',
  },
  day: {
    label: 'per day',
    what: 'all tickets of a repository in one day',
    then: 'Tickets pause when it is reached, and continue the next day.',
  },
  optionalPhase: {
    label: 'per optional phase',
    what: 'an optional phase, such as a kickoff',
    then: 'The phase is skipped when it is reached.',
  },
} as const satisfies Readonly<
  Record<BudgetPlace['per'], { readonly label: string; readonly what: string; readonly then: string }>
>;

const units = {
  tokens: { label: 'Tokens', about: (what: string) => `The maximum number of tokens for ${what}.` },
  cents: {
    label: 'Cost',
    about: (what: string) => `The maximum cost of ${what}, in US cents at list prices.`,
  },
  minutes: {
    label: 'Time',
    about: (what: string) => `How many minutes models can work for ${what}. Waiting doesn't count.`,
  },
} as const satisfies Readonly<
  Record<BudgetPlace['unit'], { readonly label: string; readonly about: (what: string) => string }>
>;

/** Tokens, US cents at list prices, or active minutes (docs/decisions/149-budgets-pause-the-work.md). */
function budget<const Option extends string>(
  per: BudgetPlace['per'],
  unit: BudgetPlace['unit'],
  option: Option,
  defaultValue = 0,
) {
  const { label, what, then } = budgetPers[per];
  return {
    store: 'limits',
    group: 'limits',
    setting: 'budgets',
    budget: { per, unit },
    schema: cap(defaultValue),
    label: `${units[unit].label} ${label}`,
    about: `${units[unit].about(what)} ${then} \`0\` means no limit.`,
    option,
  } as const satisfies SettingRow;
}

const timeouts = { store: 'limits', group: 'limits', setting: 'timeouts', unit: 'seconds' } as const;
const outage = { store: 'limits', group: 'limits', setting: 'providerOutage' } as const;
const passes = { store: 'settings', group: 'limits', setting: 'passes' } as const;

/** Settings of "Budgets and Limits". */
export const limitRows = {
  maxIterations: {
    store: 'limits',
    group: 'limits',
    setting: 'limits.maxIterations',
    schema: attempts(0, 20, 5),
    label: 'Iterations',
    about:
      'How often a bead is tried, each time in a fresh session, before the ticket is blocked. Also applies to the environment setup and the final test. `0` means once.',
    option: 'iterations',
  },
  tokenCap: budget('ticket', 'tokens', 'token-cap'),
  costCap: budget('ticket', 'cents', 'cost-cap'),
  timeCap: budget('ticket', 'minutes', 'time-cap'),
  phaseTokenCap: budget('phase', 'tokens', 'phase-token-cap'),
  phaseCostCap: budget('phase', 'cents', 'phase-cost-cap'),
  phaseTimeCap: budget('phase', 'minutes', 'phase-time-cap'),
  beadTokenCap: budget('bead', 'tokens', 'bead-token-cap'),
  beadCostCap: budget('bead', 'cents', 'bead-cost-cap'),
  beadTimeCap: budget('bead', 'minutes', 'bead-time-cap'),
  dayTokenCap: budget('day', 'tokens', 'day-token-cap'),
  dayCostCap: budget('day', 'cents', 'day-cost-cap'),
  dayTimeCap: budget('day', 'minutes', 'day-time-cap'),
  optionalPhaseTokens: budget('optionalPhase', 'tokens', 'phase-tokens', 500_000),
  optionalPhaseCents: budget('optionalPhase', 'cents', 'phase-cents'),
  codingTickets: {
    store: 'repository',
    group: 'limits',
    schema: attempts(1, 20, 1),
    about:
      'The number of tickets of a repository that code at the same time. Other tickets are queued; *Resume* puts a ticket first. Takes effect when the window that works on the tickets is reloaded.',
    tags: ['advanced'],
  },
  perIterationTimeout: {
    ...timeouts,
    property: 'iteration',
    schema: seconds(1_200),
    label: 'Iteration timeout',
    about:
      'How long the agent can work on one iteration of a bead or one attempt of the final test, in seconds. `0` means one hour.',
    option: 'timeout',
  },
  commandTimeout: {
    ...timeouts,
    property: 'command',
    schema: seconds(600),
    label: 'Command timeout',
    about:
      'The maximum duration of a command that Beadsmith runs, such as the tests of a bead, in seconds. `0` means one hour.',
    option: 'command-timeout',
  },
  executionSetupTimeout: {
    ...timeouts,
    property: 'setup',
    schema: seconds(1_200),
    label: 'Setup timeout',
    about: 'The maximum duration of environment setup, in seconds. `0` means one hour.',
    option: 'setup-timeout',
  },
  councilResponseTimeout: {
    ...timeouts,
    property: 'answer',
    schema: seconds(1_200),
    label: 'Answer timeout',
    about: 'The maximum duration of one answer during planning and delivery, in seconds. `0` means one hour.',
    option: 'council-timeout',
  },
  optionalPhaseTimeout: {
    ...timeouts,
    property: 'optionalPhase',
    schema: seconds(600),
    label: 'Optional phase timeout',
    about:
      'How long an optional phase, such as a kickoff, can take before it is skipped, in seconds. `0` means one hour.',
    option: 'phase-timeout',
  },
  opencodeRetryLimit: {
    ...outage,
    property: 'retries',
    schema: attempts(0, 50, 10),
    label: 'Provider retries',
    about: 'How often OpenCode can retry a busy provider before the ticket waits for it.',
    option: 'provider-retries',
  },
  opencodeRetryDelay: {
    ...outage,
    property: 'delay',
    schema: seconds(60),
    unit: 'seconds',
    label: 'Provider retry duration',
    about:
      'How long OpenCode can retry a provider without progress before the ticket waits for it, in seconds. `0` means one hour.',
    option: 'provider-delay',
  },
  providerWait: {
    ...outage,
    property: 'wait',
    schema: seconds(43_200, 0, 604_800),
    unit: 'seconds',
    label: 'Wait for the provider',
    about:
      "How long a ticket waits in total for a provider that is over quota or unreachable, in seconds. It continues automatically, and the wait doesn't use up an iteration. `0` means that the ticket is blocked immediately.",
    option: 'provider-wait',
  },
  maxContinuations: {
    store: 'limits',
    group: 'limits',
    setting: 'limits.maxContinuations',
    schema: attempts(0, 20, 5),
    label: 'Keep-working prompts',
    about: 'How often an agent that stops too early is asked to continue, per iteration.',
    option: 'continuations',
    tags: ['advanced'],
  },
  tokenBudget: {
    store: 'settings',
    group: 'limits',
    setting: 'limits.promptTokens',
    schema: attempts(4_000, 1_000_000, 100_000),
    label: 'Tokens per prompt',
    about: 'The maximum number of tokens of one prompt. Longer prompts are shortened.',
    option: 'token-budget',
    tags: ['advanced'],
  },
  minPasses: {
    ...passes,
    property: 'min',
    schema: attempts(1, 100, 1),
    about:
      'The minimum number of passes of an iteration. Passes are sessions that work on the same tree, one after the other. The checks run after each.',
    option: 'min-passes',
  },
  maxPasses: {
    ...passes,
    property: 'max',
    schema: attempts(1, 100, 1),
    about: 'The maximum number of passes of an iteration.',
    option: 'max-passes',
  },
  freshPasses: {
    ...passes,
    property: 'fresh',
    schema: z.boolean().default(true),
    about:
      'Controls whether each pass has a fresh session. Otherwise, all passes continue the first session.',
  },
  promise: {
    ...passes,
    property: 'promise',
    schema: z
      .string()
      .max(60)
      .regex(/^[^\u0000-\u001F\u007F<>]*$/, 'A promise is one line without angle brackets.')
      .default(''),
    about:
      'The words that an agent can write as `<promise>WORDS</promise>` in its last line to claim that it is done. If empty, only its status block counts. The checks run in any case.',
    invalid: 'A promise is one line without angle brackets.',
    option: 'promise',
    placeholder: 'WORDS',
  },
  'cleanUp.keepDays': {
    store: 'machine',
    group: 'limits',
    setting: 'cleanUp',
    property: 'keepDays',
    schema: KeepRule.shape.days,
    about:
      'How many days the data of completed and canceled tickets is kept. `0` means that nothing is removed.',
  },
  'cleanUp.keepMegabytes': {
    store: 'machine',
    group: 'limits',
    setting: 'cleanUp',
    property: 'keepMegabytes',
    schema: KeepRule.shape.megabytes,
    about:
      'How many megabytes of the data of older tickets are kept, newest first. `0` means that none are kept.',
  },
} as const satisfies SettingRows;

/** Settings of this group with several values. */
export const limitObjects = {
  budgets: {
    group: 'limits',
    about:
      'Limits on tokens, cost in US dollars at list prices, and minutes per ticket, phase, bead or day. A ticket pauses when a budget is used up; an optional phase is skipped.',
  },
  timeouts: {
    group: 'limits',
    about: 'How long one step can take, in seconds. `0` means one hour.',
    tags: ['advanced'],
  },
  providerOutage: {
    group: 'limits',
    about:
      'What happens when a provider is busy, over quota or unreachable: OpenCode retries, then the ticket waits.',
    tags: ['advanced'],
  },
  passes: {
    group: 'limits',
    about: 'How many sessions work on each iteration of a bead, one after the other.',
    tags: ['advanced'],
  },
  cleanUp: {
    group: 'limits',
    about:
      'Controls which data of completed and canceled tickets is kept: texts of model calls, logs, sessions and refs of attempts. Older data beyond the limit is removed once a day. Documents, evidence and branches are kept.',
    tags: ['advanced'],
  },
} as const satisfies Readonly<Record<string, SettingObject>>;
