import * as z from 'zod';
import { councilKinds } from '../../domain/documents/workDocuments.ts';
import { PendingRequest, RequestVerdict } from '../../domain/ticket/agentRequest.ts';
import { ShownAttempt } from '../shownAttempt.ts';
import { BeadId, Sha256 } from '../../domain/core/ids.ts';
import { QaChecklist } from '../../domain/documents/qaChecklist.ts';
import { ThreadRow } from '../../domain/forge/threadRows.ts';
import { CommitEvidence, ProvedCommand } from '../../domain/proof/commitEvidence.ts';
import { WeakenedTests } from '../../domain/proof/weakening.ts';
import { LogLine } from '../history.ts';
import { CallView } from '../inspection.ts';
import { DiffFile } from '../review.ts';
import { UsageSums } from '../../domain/usage/usageLedger.ts';
import { Links } from '../../domain/links/links.ts';
import { ApprovalArtifact, ApprovalState } from './approval.ts';
import { CouncilReport } from '../council/councilReport.ts';
import { actRequest, openRequest, type PageContract, runRequest, Sent } from './frame.ts';
import { BeadCalls, InspectedPrompt } from './inspection.ts';
import { InterviewState } from './interview.ts';
import { ContextRow, FailedBeadRow, LiveTalk, PassRow, TicketFindings } from './reviews.ts';
import { TicketHint, transcriptRequests } from './transcript.ts';

export { TicketHint } from './transcript.ts';

const Time = z.number();
/** In the person's language. */
const Label = z.string();

/** A part of the page that folds. `details`: what is rarely needed. */
export const PagePart = z.enum(['plan', 'work', 'review', 'details']);
export type PagePart = z.infer<typeof PagePart>;

/** A command that applies now. `icon` names a codicon. `part`: it is done there, on this page. */
const Offer = z.object({
  name: z.string(),
  label: Label,
  detail: z.string(),
  icon: z.string(),
  part: PagePart.nullable(),
});
export type Offer = z.infer<typeof Offer>;

const Failure = z.object({ code: z.string(), message: z.string() });

const RunState = z.enum(['open', 'closed', 'superseded', 'archived']);
/** One entry into a stage of an iteration. `ms` null while it runs. */
const Stage = z.object({
  label: Label,
  state: z.enum(['open', 'done', 'failed']),
  outcome: z.string(),
  ms: z.number().nullable(),
});
/** `outcome`: how it ended, or how far it is. */
const Iteration = z.object({
  bead: z.string(),
  iteration: z.number().int(),
  state: RunState,
  exit: z.string().nullable(),
  outcome: Label,
  stages: z.array(Stage),
});
const Run = z.object({
  id: z.string(),
  label: Label,
  attempt: z.number().int(),
  state: RunState,
  outcome: Label,
  startedAt: Time,
  endedAt: Time.nullable(),
  error: Failure.nullable(),
  iterations: z.array(Iteration),
});

/** A run of the timeline. */
export type TimelineRun = z.infer<typeof Run>;

/** A bead of the list. */
const BeadRow = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'in_progress', 'done', 'error', 'skipped']),
  label: Label,
  iteration: z.number().int(),
  /** Null while nothing works on its iteration. */
  stage: Label.nullable(),
  startedAt: Time.nullable(),
  completedAt: Time.nullable(),
  blockedBy: z.array(z.string()),
  /** `accepted`, `rejected`, or null if it was interrupted. */
  ended: z.array(z.object({ iteration: z.number().int(), exit: z.string().nullable() })),
  /** Null while the bead isn't done. */
  diff: Sha256.nullable(),
  /** `isPresent`: the verdict is about the current diff. */
  review: z
    .object({ verdict: z.enum(['accepted', 'rejected']), reason: z.string(), isPresent: z.boolean() })
    .nullable(),
  hasEvidence: z.boolean(),
  /** Threads on its lines: with unsent comments, sent, and resolved. */
  comments: z.object({ drafts: z.number().int(), sent: z.number().int(), resolved: z.number().int() }),
  /** Those that count; of these those to be fixed, fixed, and dismissed. */
  findings: z.object({
    total: z.number().int(),
    open: z.number().int(),
    fixed: z.number().int(),
    dismissed: z.number().int(),
  }),
});
export type BeadRow = z.infer<typeof BeadRow>;

const Range = z.object({ low: z.number(), high: z.number() });

/** Everything about a ticket that is small. What is long or rarely needed is requested separately. */
export const TicketState = z.object({
  head: z.object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    /** It has no plan: its description is its prompt. */
    isLoop: z.boolean().optional(),
    label: Label,
    /** Decides colors and icons. */
    mood: z.enum(['draft', 'working', 'waiting', 'blocked', 'done', 'canceled']),
    /** `until`: when the ticket continues by itself. */
    hold: z.object({ name: Label, detail: z.string(), since: Time, until: Time.nullable() }).nullable(),
    /** `text` or `at`; see `ticketFacts`. */
    facts: z.array(
      z.object({
        name: z.string(),
        label: Label,
        text: z.string().optional(),
        at: Time.optional(),
        isCode: z.boolean().optional(),
        href: z.string().optional(),
        isOfForge: z.boolean().optional(),
      }),
    ),
    /** News of its pull request that a person has to know. */
    forgeNews: z.array(z.string()),
    models: z.array(z.string()),
    /** Its programs run without a sandbox, and what to do; empty where they have one. */
    unsandboxed: z.string(),
    /** Limits of which so much is used that people should know. */
    nearCaps: z.array(Label),
    /** Models whose provider gives nothing from its cache, and what to do. */
    cacheMisses: z.array(Label),
  }),
  actions: z.array(Offer),
  /** The part that matters now; null if none does. */
  due: PagePart.nullable(),
  /** The number of files that the beads are to change, and the commands that test them. */
  plan: z.object({ files: z.number().int(), commands: z.array(z.string()) }),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      nextStep: z.string(),
      diagnostics: z.string(),
      /** Failed tests, and the last lines of the output; empty if unknown. */
      tests: z.array(z.string()),
      output: z.string(),
      /** It waits for a decision; null if nothing can be decided now. */
      failed: FailedBeadRow.nullable(),
      /** The action that continues the ticket once a limit is raised; null if no limit was the cause. */
      raise: z.enum(['retry', 'continue']).nullable(),
      /** It pauses because a budget is used up. */
      isPaused: z.boolean(),
    })
    .nullable(),
  /** `may`: what is asked for, as an infinitive. `refusal`: why it can't be. */
  requests: z.array(PendingRequest.extend({ may: Label, refusal: z.string() })),
  /** Runs by the part of the work, both oldest first. */
  bands: z.array(z.object({ name: z.string(), label: Label, runs: z.array(Run) })),
  beads: z.array(BeadRow),
  /** The verdicts on a bead that are possible now. */
  beadActions: z.object({ accept: z.boolean(), reject: z.boolean() }),
  councils: z.array(z.enum(councilKinds)),
  qa: QaChecklist.nullable(),
  hasFailures: z.boolean(),
  /** Newest first. */
  context: z.array(ContextRow),
  /** People can change its context, and choose what later prompts hold. */
  canSteer: z.boolean(),
  talk: LiveTalk.nullable(),
  hasPasses: z.boolean(),
  hasFindings: z.boolean(),
  hasReview: z.boolean(),
  /** Changes whenever documents do, so that the page requests them again. */
  stamp: z.string(),
  /** The same, and whenever questions or decisions about documents may be others. */
  planStamp: z.string(),
});
export type TicketState = z.infer<typeof TicketState>;

/** `label`: the status it was made in. */
const CallRow = CallView.omit({ run: true }).extend({ label: Label });
export type CallRow = z.infer<typeof CallRow>;

/** A long one is cut for display; it can still be copied in full. */
const CallText = z.object({ text: z.string(), isCut: z.boolean() });

/** The texts of one call. */
export const CallParts = z.object({ input: CallText, output: CallText, plan: CallText });
export type CallParts = z.infer<typeof CallParts>;

const TokenRow = UsageSums.extend({ key: z.string().nullable() });

/** Usage of tokens, by part of the work and by model. */
export const TokenTables = z.object({
  phases: z.array(TokenRow),
  models: z.array(TokenRow),
  beads: z.array(BeadCalls),
  total: UsageSums,
});
export type TokenTables = z.infer<typeof TokenTables>;

/** A command of the final test. */
const TestRow = ProvedCommand.extend({ output: z.string() });
export type TestRow = z.infer<typeof TestRow>;

/** `comments`: threads on its lines. `commands`: those that ran on it as the bead left it. */
const BeadFiles = z.object({
  files: z.array(
    DiffFile.extend({ viewed: z.boolean(), comments: z.number().int(), commands: z.array(ProvedCommand) }),
  ),
  total: z.number().int(),
});
export type BeadFiles = z.infer<typeof BeadFiles>;

/**
 * The delivery as a reviewer gets it. `leftOut`: generated files that weren't committed. `threadsLeft`: older
 * comments of the pull request, which aren't in `threads`.
 */
export const Review = z.object({
  title: z.string(),
  body: z.string(),
  branch: z.string(),
  base: z.string(),
  threads: z.array(ThreadRow),
  threadsLeft: z.number().int(),
  tests: z.array(TestRow),
  /** The project's whole suite; a signal that decides nothing. */
  regression: z.array(TestRow),
  leftOut: z.array(z.object({ bead: z.string(), path: z.string() })),
});
export type Review = z.infer<typeof Review>;

/** `weakened`: what a person accepted for its work. */
const ProvedCommit = CommitEvidence.pick({
  of: true,
  bead: true,
  commit: true,
  tree: true,
  made: true,
  commands: true,
  proved_at: true,
}).extend({ weakened: WeakenedTests.pick({ weakenings: true, accepted_at: true }).nullable() });
export type ProvedCommit = z.infer<typeof ProvedCommit>;

const Nothing = z.object({});
const Id = z.string().min(1).max(400);

/** The page on which a ticket is read, answered, approved and reviewed. */
export const ticketPage = {
  name: 'ticket',
  state: TicketState,
  hint: TicketHint,
  requests: {
    ...transcriptRequests,
    act: actRequest([
      'answer',
      'skip',
      'approve',
      'fix_gaps',
      'check_again',
      'regenerate',
      'retry',
      'qa',
      'question_reply',
      'permission_reply',
      'accept_bead',
      'changes',
      'finding',
      'follow_analysis',
      'withdraw_context',
      'fix_comment',
      'reply_comment',
    ]),
    run: runRequest,
    open: openRequest([
      'showArtifact',
      'showEvidence',
      'showDiff',
      'showFileDiff',
      'showFinding',
      'showDismissals',
    ]),
    /** Null: nothing was asked yet, and nothing will be. */
    interview: { params: Nothing, result: InterviewState.nullable() },
    documents: { params: Nothing, result: ApprovalState },
    /** The whole document, of an interview the changed answers by question. */
    save: {
      params: z.object({ artifact: ApprovalArtifact, baseSha256: Sha256, value: z.unknown() }),
      result: Sent,
      changes: true,
    },
    showDocument: { params: z.object({ artifact: ApprovalArtifact }), result: Nothing },
    /** The current version beside this one. */
    compareDocument: {
      params: z.object({ artifact: ApprovalArtifact, version: z.number().int().positive() }),
      result: Nothing,
    },
    /** A person's decision on a request that is no longer open; null if there is none. */
    decision: {
      params: z.object({ request: Id, since: Time }),
      result: z.object({ decision: RequestVerdict.nullable() }),
    },
    findings: { params: Nothing, result: TicketFindings },
    /** Oldest first. */
    passes: { params: Nothing, result: z.array(PassRow) },
    log: {
      params: z.object({
        before: z.number().nonnegative().optional(),
        source: z.string().max(300).optional(),
        text: z.string().max(1_000).optional(),
        problems: z.boolean().optional(),
      }),
      result: z.object({ lines: z.array(LogLine), earlier: z.number().nullable() }),
    },
    /** Newest first, and how many there are in all. */
    calls: {
      params: Nothing,
      result: z.object({ calls: z.array(CallRow), total: z.number().int(), isPreviewDue: z.boolean() }),
    },
    call: { params: z.object({ id: Id }), result: CallParts },
    inspect: { params: z.object({ id: Id }), result: InspectedPrompt },
    /** The whole text of a prompt, or what differs from that of another call. */
    showPrompt: { params: z.object({ id: Id, other: Id.nullable() }), result: Nothing },
    copyCall: { params: z.object({ id: Id, part: z.enum(['input', 'output', 'plan']) }), result: Nothing },
    councils: { params: Nothing, result: z.array(CouncilReport) },
    links: { params: Nothing, result: Links },
    tokens: { params: Nothing, result: TokenTables },
    /** So far. US dollars at list prices; null where no price is known. */
    effort: {
      params: Nothing,
      result: z.object({ calls: z.number().int(), money: z.number().nullable() }),
    },
    /** Of the whole ticket; null before its depth is known. */
    estimate: {
      params: Nothing,
      result: z.object({ calls: Range, money: Range.nullable() }).nullable(),
    },
    review: { params: Nothing, result: Review },
    /** Oldest first. */
    evidence: { params: Nothing, result: z.array(ProvedCommit) },
    /** Newest first. */
    failures: { params: Nothing, result: z.array(ShownAttempt) },
    beadFiles: { params: z.object({ bead: BeadId }), result: BeadFiles },
    /** `blob`: the content that the person saw. */
    viewed: {
      params: z.object({
        bead: BeadId,
        path: z.string().max(4_096),
        blob: z.string().max(64).optional(),
        viewed: z.boolean(),
      }),
      result: Nothing,
    },
  },
} as const satisfies PageContract;
