import * as z from 'zod';
import { isRecord } from '../base/json.ts';
import { foldRules } from './conversation/fold.ts';
import { Lens, lenses, MemberText, parseMember } from './council.ts';
import { PersonaId, TicketPrefix } from './ids.ts';

const seconds = (defaultValue: number, min: number, max: number) => z.number().int().min(min).max(max).default(defaultValue);
/** A timeout of 0 means the longest allowed, one hour: nothing runs forever. */
const longestTimeoutMs = 3_600_000;

/**
 * How a ticket is planned: by a council (`full`), by one model in the same steps (`solo`), by one model in one step, with one approval (`quick`; see
 * docs/decisions/103-quick-tickets.md), or by no model: its prompt is its only bead (`loop`; see docs/decisions/142-loops.md).
 */
export const Depth = z.enum(['full', 'solo', 'quick', 'loop']);
export type Depth = z.infer<typeof Depth>;

/** The depths that have a plan; a loop isn't planned, and is started in its own way. */
export const plannedDepths = Depth.exclude(['loop']).options;
/** How a ticket with a plan is planned. */
export type PlannedDepth = (typeof plannedDepths)[number];

/**
 * What shapes a ticket's work, times in milliseconds. Freezes when the ticket starts (docs/decisions/007-limits-and-caps.md).
 */
export const Settings = z.object({
  depth: Depth.default('full'),
  mainImplementer: MemberText,
  /** The model that codes a bead in which the main implementer failed twice. Empty: none. */
  secondImplementer: z.union([z.literal(''), MemberText]).default(''),
  /** Further council members, beside the main implementer. None in depth `solo`; in `quick` they wait for a switch to `full`, in `loop` one may review. */
  councilMembers: z.array(MemberText).max(9).default([]),
  minCouncilQuorum: z.number().int().min(1).max(6).default(2),
  /** Where members look hardest when they draft, in the council's order and from the start again; none: nowhere in particular. */
  councilLenses: z
    .array(Lens)
    .max(10)
    .default([...lenses]),
  interviewQuestions: z.number().int().min(0).max(50).default(50),
  structuredRetryCount: z.number().int().min(0).max(5).default(1),
  /** Whether planning answers are asked for by their schema, in OpenCode's own format; `auto`: where OpenCode says that the model can. */
  structuredOutput: z.enum(['auto', 'on', 'off']).default('auto'),
  coverageFollowUpBudgetPercent: z.number().int().min(0).max(100).default(20),
  maxCoveragePasses: z.number().int().min(1).max(10).default(2),
  maxPrdCoveragePasses: z.number().int().min(2).max(20).default(5),
  maxBeadsCoveragePasses: z.number().int().min(2).max(20).default(5),
  manualQaEnabled: z.boolean().default(false),
  gitHookPolicy: z.enum(['observe_only', 'validate_advisory', 'validate_required', 'use_native_hooks']).default('validate_advisory'),
  /**
   * What a question of an agent does: it holds the ticket until a person answers, it can't be asked, or it is left to the agent after the window
   * (docs/decisions/015-agent-requests.md).
   */
  agentQuestions: z.enum(['pause', 'deny', 'timed']).default('timed'),
  aiQuestionWindow: seconds(300_000, 60_000, 3_600_000),
  integration: z.enum(['keep', 'squash']).default('keep'),
  /** Tests that are there when the plan is approved, and that it names, can only be changed by a person. */
  freezeApprovedTests: z.boolean().default(false),
  /**
   * Who reviews each bead before it is done: nobody, one other model, or one session for each persona (docs/decisions/132-cold-review.md). `auto`, which
   * `completeSettings` resolves: `standard` where the ticket has two models or more, else `off`.
   */
  review: z.enum(['auto', 'off', 'standard', 'party']).default('auto'),
  /** The model that reviews. Empty: a council member, of another provider than the main implementer's if there is one. */
  reviewer: z.union([z.literal(''), MemberText]).default(''),
  /** Ids of the personas of every party; none: those that each kind of party has by itself. */
  personas: z.array(PersonaId).max(4).default([]),
  /** Whether each persona of a party has a session of its own, or one model plays all of them in one session. */
  partyMode: z.enum(['parallel', 'solo']).default('parallel'),
  /** In the second round of a party its members confirm or reject what the others found. */
  partyRounds: z.number().int().min(1).max(2).default(2),
  kickoff: z
    .boolean()
    .default(false)
    .describe('Controls whether personas discuss each bead before it is coded. Their insights are advice for the coder.'),
  /** What becomes of an analysis of an iteration that failed: none is made, it is only shown, offered to a person, or carried out. */
  failureAnalysis: z.enum(['off', 'inform', 'suggest', 'auto']).default('off'),
  /** Whether personas look back at a finished ticket, and write what the next one should know. */
  retrospective: z.boolean().default(false),
  /** How many passes an iteration has at least and at most: passes are sessions that work on the same tree, one after the other. */
  minPasses: z.number().int().min(1).max(100).default(1),
  maxPasses: z.number().int().min(1).max(100).default(1),
  /** Whether each pass has a fresh session; else the first one is kept and asked again. */
  freshPasses: z.boolean().default(true),
  /** The words by which an agent may say in `<promise>` tags that it is done, as loops of that kind do; empty: only the status block counts. */
  promise: z
    .string()
    .max(60)
    .regex(/^[^\u0000-\u001F\u007F<>]*$/, 'A promise is one line without angle brackets.')
    .default(''),
  /** The order of a coding prompt: by how long its parts stay the same, or with the preamble first, as loops have it. */
  promptOrder: z.enum(['stable', 'recency', 'seed']).default('stable'),
  /** Which old turns are taken out of a session that grows: by tokens, by the four thresholds of messages and tokens, or none. */
  longConversations: z.enum(foldRules).default('either'),
  /** Which prompts a person sees before they are sent. */
  previewPrompts: z.enum(['off', 'coding', 'all']).default('off'),
  worktreeAtEnd: z.enum(['keep', 'remove']).default('keep'),
  tokenBudget: z.number().int().min(4_000).max(1_000_000).default(100_000),
});
export type Settings = z.infer<typeof Settings>;

const OldQuestions = z.looseObject({ aiQuestionsEnabled: z.boolean() });

/**
 * Settings as a ticket has them in the database. Those of earlier versions said by a boolean whether agents may ask, and nothing of reviews. `auto` is
 * decided when a ticket starts, so one that still has it isn't reviewed.
 */
export const StoredSettings = z.preprocess((stored) => {
  const old = OldQuestions.safeParse(stored).data;
  const known = old ? { agentQuestions: old.aiQuestionsEnabled ? 'timed' : 'deny', ...old } : stored;
  return isRecord(known) ? { ...known, review: known['review'] === 'auto' ? 'off' : (known['review'] ?? 'off') } : known;
}, Settings);

const cap = () => z.number().int().min(0).default(0);

/**
 * Timeouts, caps and budgets: frozen per run, so that a change takes effect at the next entry into a status. 0 = one hour for times. Budgets are read
 * before each call instead: they bound more than a run.
 */
export const Limits = z.object({
  councilResponseTimeout: seconds(1_200_000, 0, longestTimeoutMs),
  perIterationTimeout: seconds(1_200_000, 0, longestTimeoutMs),
  executionSetupTimeout: seconds(1_200_000, 0, longestTimeoutMs),
  /** Iterations of a bead, attempts at the preparation or at the final test; 0 = one. */
  maxIterations: z.number().int().min(0).max(20).default(5),
  /** How many automatic provider retries, and how long without progress, before the ticket blocks. */
  opencodeRetryLimit: z.number().int().min(0).max(50).default(10),
  opencodeRetryDelay: seconds(60_000, 0, longestTimeoutMs),
  /** How long a ticket waits in all for a provider that is over quota or unreachable before it blocks; 0 = not at all. */
  providerWait: seconds(43_200_000, 0, 604_800_000),
  /** Keep-working prompts in one iteration. */
  maxContinuations: z.number().int().min(0).max(20).default(5),
  /** A command of the engine's own (bead tests, final test, probes). */
  commandTimeout: seconds(600_000, 0, longestTimeoutMs),
  /** What an optional phase may take each time: time, tokens in all, and US cents in all; 0 = one hour, and no cap. */
  optionalPhaseTimeout: seconds(600_000, 0, longestTimeoutMs),
  optionalPhaseTokens: z.number().int().min(0).default(500_000),
  optionalPhaseCents: z.number().int().min(0).default(0),
  /**
   * Budgets: tokens, US cents at list prices, and active minutes that a ticket, each status of it, each bead of it, and all tickets of the repository in
   * one day may take before the ticket pauses; 0 = no cap (docs/decisions/149-budgets-pause-the-work.md).
   */
  tokenCap: cap(),
  costCap: cap(),
  timeCap: cap(),
  phaseTokenCap: cap(),
  phaseCostCap: cap(),
  phaseTimeCap: cap(),
  beadTokenCap: cap(),
  beadCostCap: cap(),
  beadTimeCap: cap(),
  dayTokenCap: cap(),
  dayCostCap: cap(),
  dayTimeCap: cap(),
});
export type Limits = z.infer<typeof Limits>;

/** The settings of a repository that aren't a ticket's. */
export const RepositorySettings = z.object({
  ticketPrefix: TicketPrefix.optional(),
  worktreeFolder: z.enum(['beside', 'inside']).default('beside'),
  /** Patterns of ignored files that the editor copies, and of folders that it links, into every worktree. */
  worktreeIncludeFiles: z.array(z.string().min(1).max(1_000)).max(100).default([]),
  worktreeSymlinkFolders: z.array(z.string().min(1).max(1_000)).max(100).default([]),
  /** How many tickets code at a time; the others wait in a line. */
  codingTickets: z.number().int().min(1).max(20).default(1),
});
export type RepositorySettings = z.infer<typeof RepositorySettings>;

/**
 * Fills in defaults, makes depth and members consistent (`solo` has no further member and a quorum of 1), and decides who reviews. Throws a ZodError that names the setting.
 */
export function completeSettings(input: unknown): Settings {
  const settings = Settings.parse(input);
  return withReview(withCouncil({ ...settings, maxPasses: Math.max(settings.minPasses, settings.maxPasses) }));
}

function withReview(settings: Settings): Settings {
  const models = new Set([settings.mainImplementer, ...settings.councilMembers, settings.reviewer].filter((member) => member !== ''));
  return settings.review === 'auto' ? { ...settings, review: models.size > 1 ? 'standard' : 'off' } : settings;
}

function withCouncil(settings: Settings): Settings {
  if (settings.depth === 'solo') return { ...settings, councilMembers: [], minCouncilQuorum: 1 };
  const members = [...new Set(settings.councilMembers)].filter((member) => member !== settings.mainImplementer);
  if (members.length === 0)
    return { ...settings, depth: settings.depth === 'full' ? 'solo' : settings.depth, councilMembers: [], minCouncilQuorum: 1 };
  return { ...settings, councilMembers: members, minCouncilQuorum: Math.min(settings.minCouncilQuorum, members.length + 1) };
}

/** All members of the council; the main implementer is always one, and first. A quick ticket and a loop have no other. */
export function councilOf(settings: Settings): readonly string[] {
  const isAlone = settings.depth === 'quick' || settings.depth === 'loop';
  return isAlone ? [settings.mainImplementer] : [settings.mainImplementer, ...settings.councilMembers];
}

/** Who reviews beads: the model that is set, else a council member, of another provider than the main implementer's if there is one, else that one. */
export function reviewerOf({ reviewer, mainImplementer, councilMembers }: Settings): string {
  const { provider } = parseMember(mainImplementer);
  const other = councilMembers.find((member) => parseMember(member).provider !== provider);
  return reviewer || (other ?? councilMembers[0] ?? mainImplementer);
}

/** The settings of a quick ticket that is planned in full from now on: with its council, or alone where it has none. */
export function inFull(settings: Settings): Settings {
  return completeSettings({ ...settings, depth: 'full' });
}

/** Where the member at a place of the council looks hardest when it drafts; a council of one has no lens. */
export function lensOf(settings: Settings, index: number): z.infer<typeof Lens> | undefined {
  const { councilLenses: given } = settings;
  return councilOf(settings).length > 1 ? given[index % Math.max(1, given.length)] : undefined;
}

/** A timeout in milliseconds, with 0 read as the longest. */
export function timeoutMs(value: number): number {
  return value === 0 ? longestTimeoutMs : value;
}

/** How often something is tried, with 0 read as once. */
export function attemptsOf({ maxIterations }: Pick<Limits, 'maxIterations'>): number {
  return Math.max(1, maxIterations);
}
