import * as z from 'zod';
import { Cleanable } from '../domain/core/cleaning.ts';
import { ContextEntry } from '../domain/prompts/contextEntries.ts';
import { StandingRule } from '../domain/prompts/promptChoices.ts';
import { TicketEvent } from '../domain/core/events.ts';
import { Estimate, Range } from '../domain/estimate/estimate.ts';
import { Added, ReviewEstimate } from '../domain/estimate/reviewEstimate.ts';
import { ThreadRow } from '../domain/forge/threadRows.ts';
import { HitState } from '../domain/promptCache/cacheHistory.ts';
import { ReplayGap, ReplayReason, ReplayVerdict } from '../domain/usage/replay.ts';
import { usageGroups, UsageSums } from '../domain/usage/usageLedger.ts';
import { ReviewerCount } from '../domain/findings/reviewerCounts.ts';
import { CallCost } from '../domain/usage/callCost.ts';
import { ReplaySum } from './replays.ts';
import { Links } from '../domain/links/links.ts';
import { TeamKey, TeamRole } from '../domain/team/keys.ts';
import { FleetState } from './team/fleet.ts';
import { NoticeLine } from './team/notice.ts';
import { BackupChoice } from './upkeep.ts';
import { Verification } from './verification/verification.ts';

function event<T extends string, S extends z.ZodRawShape>(type: T, shape: S) {
  return z.object({ type: z.literal(type), ...shape });
}

const PlannedCall = z.object({
  context: z.string(),
  members: Range,
  rounds: Range,
  calls: Range,
  per: z.enum(['ticket', 'bead', 'failure']),
  slices: z.array(z.string()).readonly(),
  sections: z.array(z.string()).readonly(),
});

const PlannedPhase = z.object({
  status: z.string(),
  label: z.string(),
  needsPerson: z.boolean(),
  calls: z.array(PlannedCall).readonly(),
  stages: z.array(z.object({ stage: z.string(), label: z.string(), on: z.boolean() })).readonly(),
});

/** The CLI's own lines of `--json` (NDJSON). */
const own = {
  created: event('created', { ticket: z.string(), title: z.string(), status: z.string() }),
  posted: event('posted', { ticket: z.string(), action: z.string(), id: z.string() }),
  outcome: event('outcome', {
    ticket: z.string(),
    action: z.string(),
    id: z.string(),
    state: z.enum(['consumed', 'refused']),
    code: z.string().optional(),
    message: z.string().optional(),
  }),
  estimate: event('estimate', {
    ticket: z.string().nullable(),
    suggested: z.string(),
    reasons: z.array(z.string()),
    depths: z.array(Estimate),
    /** Added to each bead, by review mode. */
    reviews: z.array(ReviewEstimate),
  }).loose(),
  context: ContextEntry.extend({ type: z.literal('context'), ticket: z.string() }),
  prompt_rule: StandingRule.extend({ type: z.literal('prompt_rule'), ticket: z.string() }),
  /** `run --dry-run`. */
  plan: event('plan', {
    title: z.string(),
    depth: z.string(),
    phases: z.array(PlannedPhase).readonly(),
    off: z.array(z.string()).readonly(),
    /** If nothing fails. */
    callsOfBead: Range,
    estimate: Estimate,
    /** Of kickoffs, reviews and the retrospective, before any ticket was finished. */
    added: z.object({ bead: Added.nullable(), ticket: Added.nullable() }),
  }),
  /** A call of `rehearse`. */
  rehearsed: event('rehearsed', {
    ticket: z.string(),
    prompt: z.string(),
    member: z.string(),
    phase: z.string(),
    bead: z.string().nullable(),
    iteration: z.number().int().nullable(),
    parts: z.array(z.object({ name: z.string(), kind: z.string(), tokens: z.number().int() })),
  }),
  /** All of `rehearse`. `money`: US dollars at the list price of `model`, without a cache. */
  rehearsal: event('rehearsal', {
    ticket: z.string(),
    calls: z.number().int(),
    tokens: z.number().int(),
    money: z.number().nullable(),
    model: z.string().nullable(),
    /** `whole`: to the end. `status`: the last one. */
    whole: z.boolean(),
    status: z.string().nullable(),
  }),
  replaying: event('replaying', { ticket: z.string(), number: z.number().int(), total: z.number().int() }),
  /** A call of `replay`. `gap`: the reason for `unknown`. */
  replayed: event('replayed', {
    ticket: z.string(),
    number: z.number().int(),
    id: z.string(),
    prompt: z.string(),
    member: z.string(),
    phase: z.string(),
    bead: z.string().nullable(),
    iteration: z.number().int().nullable(),
    verdict: ReplayVerdict,
    reasons: z.array(ReplayReason),
    gap: ReplayGap.nullable(),
  }),
  /** All of `replay`. `first`: the first call that differs. */
  replay: ReplaySum.extend({ type: z.literal('replay'), ticket: z.string() }),
  note: event('note', { message: z.string() }),
  ticket: event('ticket', { id: z.string(), title: z.string(), status: z.string() }).loose(),
  /** `team pair`: the code, once. `expiresAt`: in milliseconds since 1970. */
  pairing: event('pairing', {
    code: z.string(),
    person: z.string(),
    role: TeamRole,
    expiresAt: z.number(),
  }),
  /** A device of a team. `own`: this installation. `decided`: of a revoked one, and carried out. */
  device: TeamKey.omit({ publicKey: true }).extend({
    type: z.literal('device'),
    own: z.boolean(),
    decided: z
      .array(z.object({ repository: z.string(), ticket: z.string(), kind: z.string(), at: z.number() }))
      .optional(),
  }),
  /** `fleet`: all of it in one line. */
  fleet: FleetState.extend({ type: z.literal('fleet') }),
  /** `team up`, with the login. */
  team: event('team', { url: z.string() }),
  /** `serve`: where the page is. */
  served: event('served', { url: z.string() }),
  /** `serve`: who asked for what from where. `outcome`: `done`, or the code of the refusal. */
  audit: event('audit', {
    at: z.number(),
    action: z.string(),
    outcome: z.string(),
    from: z.string(),
    person: z.string().optional(),
    device: z.string().optional(),
    repository: z.string().optional(),
    ticket: z.string().optional(),
    entry: z.string().optional(),
    runner: z.string().optional(),
  }),
  /** `serve --notify`: a notice of the program. */
  notice: NoticeLine.extend({ type: z.literal('notice'), at: z.number() }),
  report: event('report', { ticket: z.string(), status: z.string() }).loose(),
  matrix: Links.extend({
    type: z.literal('matrix'),
    ticket: z.string(),
    holes: z.array(Links.shape.holes.unwrap().element.extend({ text: z.string() })),
  }),
  /** `show --comments`. `left`: older ones, which weren't read. */
  comments: event('comments', { ticket: z.string(), comments: z.array(ThreadRow), left: z.number().int() }),
  /** `beads get`, or the patch of `beads diff`. */
  document: event('document', {
    ticket: z.string(),
    name: z.string(),
    sha256: z.string().nullable(),
    content: z.string(),
  }),
  /** `context`: a call, with its parts in order. */
  inspection: event('inspection', {
    ticket: z.string(),
    number: z.number().int(),
    id: z.string(),
    prompt: z.string(),
    member: z.string(),
    parts: z.array(
      z.looseObject({
        name: z.string(),
        tokens: z.number().int(),
        sha256: z.string(),
        changedAt: z.number(),
        predicted: HitState,
        reported: HitState,
        cost: z.number().nullable(),
      }),
    ),
    frameTokens: z.number().int().nullable(),
    predicted: z.looseObject({
      tokens: z.number().int().nullable(),
      kind: z.string(),
      culprit: z.string().nullable(),
    }),
    reported: z.object({ prompt: z.number().int(), cacheRead: z.number().int() }).nullable(),
    isProviderMiss: z.boolean(),
    /** US dollars. Parts, `frame`, `later` and `output` add up to `total`. */
    cost: CallCost.loose().nullable(),
    usage: z.looseObject({ cost: z.number() }).nullable(),
    calibration: z.object({ factor: z.number(), lastError: z.number().nullable() }).nullable(),
  }).loose(),
  log: event('log', { ticket: z.string(), at: z.number(), text: z.string() }).loose(),
  /** `usage`; `key` null: of no group. */
  usage: event('usage', {
    ticket: z.string().nullable(),
    by: z.enum(usageGroups),
    rows: z.array(UsageSums.extend({ key: z.string().nullable() })),
    total: UsageSums,
  }),
  /** `findings`. `pending`: an unfiled decision. */
  finding: event('finding', {
    ticket: z.string(),
    id: z.string(),
    standing: z.string(),
    verdict: z.string().nullable(),
    reason: z.string(),
    pending: z.string().nullable(),
    sha256: z.string(),
  }).loose(),
  reviewer: ReviewerCount.extend({ type: z.literal('reviewer') }),
  dismissal: event('dismissal', {
    state: z.enum(['remembered', 'changed', 'removed']),
    number: z.number().int(),
    ticket: z.string(),
    file: z.string(),
    claim: z.string(),
    reason: z.string(),
  }).loose(),
  /** `export`. */
  exported: event('exported', { ticket: z.string(), folder: z.string() }),
  /** `export --bd`. */
  exported_bd: event('exported_bd', {
    file: z.string(),
    tickets: z.number().int(),
    issues: z.number().int(),
  }),
  /** `verify`: the next command. */
  verifying: event('verifying', {
    ticket: z.string(),
    command: z.string(),
    number: z.number().int(),
    total: z.number().int(),
  }),
  verification: Verification.extend({
    type: z.literal('verification'),
    isEqual: z.boolean(),
    isSigned: z.boolean(),
  }),
  key: event('key', { line: z.string() }),
  check: event('check', {
    name: z.string(),
    result: z.enum(['pass', 'warn', 'fail', 'skip']),
    message: z.string(),
    nextStep: z.string(),
  }),
  /** `restore` without a name. `problem`: why it can't be restored. */
  backup: BackupChoice.extend({ type: z.literal('backup') }),
  /** `restore`. `lost`: branch tips that the backup doesn't know, under refs. */
  restored: event('restored', {
    name: z.string(),
    tickets: z.number().int(),
    damaged: z.string().nullable(),
  }).loose(),
  import: event('import', {
    state: z.enum(['new', 'changed', 'same', 'started']),
    ticket: z.string().nullable(),
    title: z.string(),
    format: z.string(),
    path: z.string(),
    id: z.string(),
    requirements: z.number().int(),
    criteria: z.number().int(),
    tasks: z.number().int(),
    done: z.number().int(),
    description: z.string(),
    diff: z.array(z.string()),
  }),
  not_understood: event('not_understood', { where: z.string(), text: z.string() }),
  cleanable: Cleanable.extend({ type: z.literal('cleanable') }),
  /** `clean`. `failed`: not removed. */
  cleaned: event('cleaned', {
    removed: z.number().int(),
    bytes: z.number(),
    failed: z.array(Cleanable.extend({ reason: z.string() })),
  }),
  /** `prompts`. `refused`: the own file has a `problem`. */
  prompt: event('prompt', {
    name: z.string(),
    about: z.string(),
    state: z.enum(['built-in', 'own', 'refused']),
    path: z.string().nullable(),
    sha256: z.string().nullable(),
    problem: z.string(),
  }),
  /** `personas`. `parties`: its default parties. */
  persona: event('persona', {
    id: z.string(),
    name: z.string(),
    title: z.string(),
    focus: z.string(),
    model: z.string().nullable(),
    state: z.enum(['built-in', 'own', 'refused']),
    path: z.string(),
    problem: z.string(),
    parties: z.array(z.string()),
  }),
  error: event('error', { code: z.string(), message: z.string(), nextStep: z.string() }),
  /**
   * The last line. `exit`: 0 done, 1 failed, 2 usage, 3 waits at a gate, 4 blocked, 5 canceled, 130 and 143
   * stopped by a signal.
   */
  end: event('end', {
    exit: z.number().int(),
    ticket: z.string().nullable(),
    status: z.string().nullable(),
  }).loose(),
} as const;

/** A line of `--json`: of the engine or the CLI. */
export const CliEvent = z.union([
  TicketEvent,
  z.discriminatedUnion('type', Object.values(own) as [(typeof own)[keyof typeof own]]),
]);
export type CliEvent = z.infer<typeof CliEvent>;
