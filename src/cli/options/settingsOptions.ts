import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import { foldRules } from '../../domain/conversation/fold.ts';
import { limitFrom, type LimitName, limitNames } from '../../domain/limits.ts';
import { completeSettings, Limits, plannedDepths, type Settings } from '../../domain/settings.ts';
import type { Args, OptionSpecs } from './args.ts';
import { UsageError } from './args.ts';

/** Options for limits: frozen at the start for each run, and changed by `limits` for the runs after it. */
export const limitOptions = {
  iterations: { value: 'N', about: 'maximum iterations of a bead, or attempts at the setup or the final test' },
  timeout: { value: 'S', about: 'maximum seconds that the agent works on one iteration of a bead; 0 for one hour' },
  'council-timeout': { value: 'S', about: 'maximum seconds for one answer of a council member' },
  'setup-timeout': { value: 'S', about: 'maximum seconds for environment setup' },
  'command-timeout': { value: 'S', about: 'maximum seconds for one test command' },
  continuations: { value: 'N', about: 'maximum keep-working prompts per iteration' },
  'provider-retries': { value: 'N', about: 'retries of a provider before the ticket blocks' },
  'provider-delay': { value: 'S', about: 'maximum seconds of retrying a provider without progress' },
  'provider-wait': { value: 'S', about: 'maximum seconds to wait for a provider that is over quota or unreachable; 0 to block at once' },
  'phase-timeout': { value: 'S', about: 'maximum seconds for an optional phase, such as a kickoff' },
  'phase-tokens': { value: 'N', about: 'maximum tokens for an optional phase; 0 for no limit' },
  'phase-cents': { value: 'N', about: 'maximum US cents for an optional phase, at list prices; 0 for no limit' },
  'token-cap': { value: 'N', about: 'maximum tokens for the ticket; 0 for no limit' },
  'cost-cap': { value: 'N', about: 'maximum US cents for the ticket, at list prices; 0 for no limit' },
  'time-cap': { value: 'N', about: 'maximum minutes that models work for the ticket; 0 for no limit' },
  'phase-token-cap': { value: 'N', about: 'maximum tokens for each phase of the ticket; 0 for no limit' },
  'phase-cost-cap': { value: 'N', about: 'maximum US cents for each phase of the ticket, at list prices; 0 for no limit' },
  'phase-time-cap': { value: 'N', about: 'maximum minutes that models work for each phase of the ticket; 0 for no limit' },
  'bead-token-cap': { value: 'N', about: 'maximum tokens for each bead; 0 for no limit' },
  'bead-cost-cap': { value: 'N', about: 'maximum US cents for each bead, at list prices; 0 for no limit' },
  'bead-time-cap': { value: 'N', about: 'maximum minutes that models work for each bead; 0 for no limit' },
  'day-token-cap': { value: 'N', about: 'maximum tokens for all tickets of the repository in one day; 0 for no limit' },
  'day-cost-cap': { value: 'N', about: 'maximum US cents for all tickets of the repository in one day, at list prices; 0 for no limit' },
  'day-time-cap': { value: 'N', about: 'maximum minutes that models work for all tickets of the repository in one day; 0 for no limit' },
  'token-budget': { value: 'N', about: 'maximum tokens of one prompt' },
} as const satisfies OptionSpecs;

/** Which option is for which limit. */
export const limitOption: Readonly<Record<LimitName, keyof typeof limitOptions>> = {
  maxIterations: 'iterations',
  perIterationTimeout: 'timeout',
  councilResponseTimeout: 'council-timeout',
  executionSetupTimeout: 'setup-timeout',
  commandTimeout: 'command-timeout',
  maxContinuations: 'continuations',
  opencodeRetryLimit: 'provider-retries',
  opencodeRetryDelay: 'provider-delay',
  providerWait: 'provider-wait',
  optionalPhaseTimeout: 'phase-timeout',
  optionalPhaseTokens: 'phase-tokens',
  optionalPhaseCents: 'phase-cents',
  tokenCap: 'token-cap',
  costCap: 'cost-cap',
  timeCap: 'time-cap',
  phaseTokenCap: 'phase-token-cap',
  phaseCostCap: 'phase-cost-cap',
  phaseTimeCap: 'phase-time-cap',
  beadTokenCap: 'bead-token-cap',
  beadCostCap: 'bead-cost-cap',
  beadTimeCap: 'bead-time-cap',
  dayTokenCap: 'day-token-cap',
  dayCostCap: 'day-cost-cap',
  dayTimeCap: 'day-time-cap',
  tokenBudget: 'token-budget',
};

/** Options that become a ticket's frozen settings at its start. */
export const frozenOptions = {
  model: { value: 'PROVIDER/MODEL', about: 'main implementer; required to start a ticket' },
  'second-model': { value: 'PROVIDER/MODEL', about: 'model for beads in which the main implementer failed twice' },
  council: { value: 'PROVIDER/MODEL', many: true, about: 'additional council member; can be repeated' },
  depth: {
    value: 'full|solo|quick',
    about: 'plan with the council, with the main implementer alone, or small work in one step with one approval',
  },
  base: { value: 'BRANCH', about: 'base branch, or origin/BRANCH; default: the default branch of origin, or the current branch' },
  integration: { value: 'keep|squash', about: 'keep one commit for each bead (default), or squash them' },
  'worktree-at-end': { value: 'keep|remove', about: 'keep the worktree of a completed ticket (default), or remove it; the branch stays' },
  'git-hooks': {
    value: 'observe|check|require|run',
    about: "which of the repository's git hooks check commits: none, those that the setup plan runs (advisory by default), or all",
  },
  'agent-questions': {
    value: 'pause|S',
    about: 'let agents ask questions, and wait until you answer, or S seconds; default: they decide, and record what they assumed',
  },
  qa: { about: 'ask for manual QA before integration' },
  review: {
    value: 'auto|off|standard|party',
    about: 'let another model, or a party of personas, review each bead before it is done; default: standard with two models or more',
  },
  reviewer: { value: 'PROVIDER/MODEL', about: 'model that reviews; default: a council member, of another provider if there is one' },
  persona: { value: 'ID', many: true, about: 'persona of every party, four at most; default: those of each kind of party' },
  'party-mode': { value: 'parallel|solo', about: 'one session for each persona (default), or one that plays all of them' },
  'party-rounds': { value: 'N', about: 'rounds of a party: in the second one (default) its members confirm or reject findings' },
  kickoff: { about: 'let personas discuss each bead before it is coded' },
  'failure-analysis': {
    value: 'off|inform|suggest|auto',
    about: 'analyze iterations that fail: not at all (default), to be shown, to be decided by you, or to be carried out',
  },
  retrospective: { about: 'let personas look back at the ticket at its end, and leave a handoff to later tickets' },
  handoff: {
    value: 'latest|none|ABC-12',
    about: 'start with what another ticket left: the last completed one, or the one with this ID; default: none',
  },
  'min-passes': { value: 'N', about: 'minimum passes of an iteration: sessions on the same tree, one after the other; default: 1' },
  'max-passes': { value: 'N', about: 'maximum passes of an iteration; default: 1' },
  'same-session': { about: 'keep one session for all passes of an iteration, instead of a fresh one for each' },
  promise: { value: 'WORDS', about: 'also accept <promise>WORDS</promise> as the last line of an agent as its claim to be done' },
  'prompt-order': {
    value: 'stable|recency|seed',
    about: 'order of coding prompts: what stays the same first (default), what changed longest ago first, or the preamble first',
  },
  'long-conversations': {
    value: foldRules.join('|'),
    about: 'when old turns are taken out of a session: over 15 % of the budget, by messages and tokens, either (default), or never',
  },
  'preview-prompts': { value: 'off|coding|all', about: 'wait for a person before a coding prompt, or any, is sent; default: off' },
  'freeze-tests': { about: 'let only people change tests that the approved plan names' },
  quorum: { value: 'N', about: 'minimum number of council members with a valid answer' },
  lens: {
    value: 'LENS',
    many: true,
    about: 'focus of the drafts of the next council member: security, tests, simplicity or users (default: these, in turn); or none',
  },
  questions: { value: 'N', about: 'maximum number of interview questions' },
  'structured-output': {
    value: 'auto|on|off',
    about: 'ask for planning answers by their schema: where the model is known to take one (default), always, or never',
  },
  repairs: { value: 'N', about: 'how often an unreadable answer is returned to the model' },
  'prd-passes': { value: 'N', about: 'maximum coverage checks of the PRD' },
  'beads-passes': { value: 'N', about: 'maximum coverage checks of the bead plan' },
} as const satisfies OptionSpecs;

export const settingsOptions = { ...frozenOptions, ...limitOptions };

/** The policies for git hooks by their words. */
const hookPolicies = {
  observe: 'observe_only',
  check: 'validate_advisory',
  require: 'validate_required',
  run: 'use_native_hooks',
} as const satisfies Readonly<Record<string, Settings['gitHookPolicy']>>;
const hookWords = ['observe', 'check', 'require', 'run'] as const;

/** The settings the options give. Throws UsageError without --model, INVALID_INPUT for a value that isn't allowed. */
export function settingsOf(args: Args): Settings {
  const model = args.text('model');
  if (model === undefined) throw new UsageError('To start a ticket, specify --model PROVIDER/MODEL.');
  try {
    return completeSettings({
      depth: args.oneOf('depth', plannedDepths, 'full'),
      mainImplementer: model,
      secondImplementer: args.text('second-model'),
      councilMembers: args.list('council'),
      manualQaEnabled: args.flag('qa'),
      review: args.oneOf('review', ['auto', 'off', 'standard', 'party'], 'auto'),
      reviewer: args.text('reviewer'),
      personas: args.list('persona'),
      partyMode: args.oneOf('party-mode', ['parallel', 'solo'], 'parallel'),
      partyRounds: args.whole('party-rounds'),
      kickoff: args.flag('kickoff'),
      failureAnalysis: args.oneOf('failure-analysis', ['off', 'inform', 'suggest', 'auto'], 'off'),
      retrospective: args.flag('retrospective'),
      minPasses: args.whole('min-passes'),
      maxPasses: args.whole('max-passes'),
      freshPasses: !args.flag('same-session'),
      promise: args.text('promise'),
      longConversations: args.oneOf('long-conversations', foldRules, 'either'),
      promptOrder: args.oneOf('prompt-order', ['stable', 'recency', 'seed'], 'stable'),
      previewPrompts: args.oneOf('preview-prompts', ['off', 'coding', 'all'], 'off'),
      freezeApprovedTests: args.flag('freeze-tests'),
      integration: args.oneOf('integration', ['keep', 'squash'], 'keep'),
      worktreeAtEnd: args.oneOf('worktree-at-end', ['keep', 'remove'], 'keep'),
      gitHookPolicy: hookPolicies[args.oneOf('git-hooks', hookWords, 'check')],
      // No person is at a headless process to answer an agent in time, unless an option says so.
      ...agentQuestions(args),
      minCouncilQuorum: args.whole('quorum'),
      councilLenses: lensesOf(args.list('lens')),
      interviewQuestions: args.whole('questions'),
      structuredRetryCount: args.whole('repairs'),
      structuredOutput: args.oneOf('structured-output', ['auto', 'on', 'off'], 'auto'),
      maxPrdCoveragePasses: args.whole('prd-passes'),
      maxBeadsCoveragePasses: args.whole('beads-passes'),
      tokenBudget: args.whole('token-budget'),
    });
  } catch (error) {
    throw readable(error);
  }
}

function agentQuestions(args: Args): Pick<z.input<typeof Settings>, 'agentQuestions' | 'aiQuestionWindow'> {
  const written = args.text('agent-questions');
  if (written === undefined) return { agentQuestions: 'deny' };
  if (written === 'pause' || written === 'deny') return { agentQuestions: written };
  return { agentQuestions: 'timed', aiQuestionWindow: milliseconds(args.whole('agent-questions')) };
}

/** Undefined: the default. `none` alone: no lens. */
function lensesOf(named: readonly string[]): readonly string[] | undefined {
  if (named.length === 0) return undefined;
  return named.length === 1 && named[0] === 'none' ? [] : named;
}

/** The limits of a start. Throws INVALID_INPUT. */
export function limitsAtStart(args: Args): Limits {
  try {
    return Limits.parse(namedLimits(args));
  } catch (error) {
    throw readable(error);
  }
}

/** The limits the options name, in the product's own units. */
export function namedLimits(args: Args): Partial<Record<LimitName, number>> {
  const named = limitNames.flatMap((name) => {
    const written = args.whole(limitOption[name]);
    return written === undefined ? [] : [[name, limitFrom(name, written)] as const];
  });
  return Object.fromEntries(named);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

function readable(error: unknown): unknown {
  if (!(error instanceof z.ZodError)) return error;
  return new BeadsmithError('INVALID_INPUT', { what: 'A setting', reason: z.prettifyError(error) });
}
