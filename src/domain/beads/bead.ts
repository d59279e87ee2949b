import * as z from 'zod';
import { ChangeRecords } from '../requirements/interview.ts';
import { GapResolution } from '../requirements/prd.ts';
import { BeadId, CommitSha, isBeadId, isRelativePath, RelativePath } from '../core/ids.ts';

const Command = z.string().min(1).max(4_000);
const Commands = textList(Command, (text) => text.length >= 1 && text.length <= 4_000);
const Texts = textList(z.string());
const BeadIds = textList(BeadId, isBeadId);
const RelativePaths = textList(RelativePath, isRelativePath);

/** The reason why no command can fail without it (docs/decisions/051-red-first.md). */
const unprovedReason = z.string().max(2_000).optional();

/** The part of a bead that a council decides on (docs/decisions/025-bead-plan.md). */
export const BlueprintBead = z.object({
  id: BeadId,
  title: z.string().min(1).max(300),
  prdRefs: z.array(z.string()).default([]),
  description: z.string().min(1),
  contextGuidance: z
    .object({ patterns: z.array(z.string()).default([]), anti_patterns: z.array(z.string()).default([]) })
    .default({ patterns: [], anti_patterns: [] }),
  acceptanceCriteria: z.array(z.string().min(1)).min(1),
  tests: z.array(z.string()).default([]),
  testCommands: z.array(Command).default([]),
  unprovedReason,
});
export type BlueprintBead = z.infer<typeof BlueprintBead>;

/** The bead plan before expansion, in dependency order. */
export const Blueprint = z.object({ beads: z.array(BlueprintBead).min(1).max(200) });
export type Blueprint = z.infer<typeof Blueprint>;

/** The winner's refined plan, with its changes. */
export const RefinedBlueprint = Blueprint.extend({ changes: ChangeRecords });

/** A model's plan after closing gaps. */
export const BlueprintRevision = RefinedBlueprint.extend({ gap_resolutions: z.array(GapResolution).min(1) });

/** The fields that expansion adds, one JSON line per bead (docs/decisions/025-bead-plan.md). */
export const BeadExpansion = z.object({
  id: BeadId,
  issueType: z.string().min(1).max(40),
  labels: z.array(z.string().min(1)).min(1),
  dependencies: z.object({ blocked_by: z.array(BeadId).default([]) }).default({ blocked_by: [] }),
  targetFiles: z.array(RelativePath).min(1),
});

/** A bead as a model adds it to a plan. */
export const NewBead = BlueprintBead.extend(BeadExpansion.omit({ id: true }).shape);
export type NewBead = z.infer<typeof NewBead>;

const BeadStatus = z.enum(['pending', 'in_progress', 'done', 'error', 'skipped']);
/** Bead status labels, which views translate. */
export const beadStatusLabels: Readonly<Record<z.infer<typeof BeadStatus>, string>> = {
  pending: 'pending',
  in_progress: 'in progress',
  done: 'done',
  error: 'failed',
  skipped: 'skipped',
};

/**
 * The smallest unit that is coded (docs/decisions/025-bead-plan.md). Times are ISO texts, empty until they
 * happen; `iteration` counts from 1; `beadStartCommit` is the reset point.
 */
export const Bead = z.object({
  id: BeadId,
  title: z.string().min(1).max(300),
  prdRefs: Texts,
  description: z.string(),
  contextGuidance: z.object({ patterns: Texts, anti_patterns: Texts }),
  acceptanceCriteria: Texts,
  tests: Texts,
  testCommands: Commands,
  unprovedReason,
  priority: z.number().int(),
  status: BeadStatus,
  issueType: z.string(),
  externalRef: z.string(),
  labels: Texts,
  dependencies: z.object({ blocked_by: BeadIds, blocks: BeadIds }),
  targetFiles: RelativePaths,
  notes: z.string(),
  iteration: z.number().int().positive(),
  createdAt: z.string(),
  updatedAt: z.string(),
  completedAt: z.string(),
  startedAt: z.string(),
  beadStartCommit: CommitSha.nullable(),
  /** The replacing beads (docs/decisions/138-failure-analysis.md). */
  skipped: z.object({ reason: z.string().max(2_000), replacedBy: BeadIds }).optional(),
});
export type Bead = z.infer<typeof Bead>;

/** True if a bead is done or skipped. */
export function isSettled({ status }: Pick<Bead, 'status'>): boolean {
  return status === 'done' || status === 'skipped';
}

/** The reason why nothing can fail without the bead; empty where commands prove it. */
export function reasonWithoutProof(bead: Pick<BlueprintBead, 'unprovedReason'>): string {
  return bead.unprovedReason?.trim() ?? '';
}

const runtime = {
  status: true,
  notes: true,
  iteration: true,
  createdAt: true,
  updatedAt: true,
  completedAt: true,
  startedAt: true,
  beadStartCommit: true,
  skipped: true,
} as const satisfies Partial<Record<keyof Bead, true>>;
/** Fields that change while a bead runs: outside the plan's hash. */
export const beadRuntimeFields = Object.keys(runtime) as readonly (keyof typeof runtime)[];

/** Runtime fields before the first run. */
export const freshRun = {
  status: 'pending',
  notes: '',
  iteration: 1,
  createdAt: '',
  updatedAt: '',
  completedAt: '',
  startedAt: '',
  beadStartCommit: null,
} as const satisfies Partial<Bead>;

/** A bead as people edit it. */
export const EditedBead = Bead.omit(runtime)
  .partial({
    priority: true,
    externalRef: true,
    tests: true,
    testCommands: true,
    prdRefs: true,
    contextGuidance: true,
  })
  .extend({
    dependencies: z.object({
      blocked_by: Bead.shape.dependencies.shape.blocked_by,
      blocks: Bead.shape.dependencies.shape.blocks.default([]),
    }),
  });

const Check = z.enum(['pass', 'fail']);
/** `<BEAD_STATUS>`: the end of a coding session (docs/decisions/031-bead-marker.md). */
export const BeadStatusMarker = z.object({
  bead_id: BeadId,
  status: z.enum(['done', 'error']),
  checks: z.object({ tests: Check, lint: Check, typecheck: Check, qualitative: Check }),
  nonce: z.string().max(100).optional(),
  reason: z.string().max(4_000).optional(),
  blocked: z.boolean().optional(),
});
export type BeadStatusMarker = z.infer<typeof BeadStatusMarker>;

/** `<DEV_RECORD>`: the coder's record for reviewers (docs/decisions/031-bead-marker.md). */
export const DevRecord = z.object({
  summary: z.string().default(''),
  files: z.array(z.string()).default([]),
  decisions: z.array(z.string()).default([]),
  tests: z.array(z.string()).default([]),
  notes_for_reviewer: z.array(z.string()).default([]),
  assumptions: z.array(z.string()).default([]),
  /** Ids of context entries (docs/decisions/141-context-inbox.md). */
  context_acknowledged: z.array(z.string()).default([]),
});
export type DevRecord = z.infer<typeof DevRecord>;

/**
 * A faster `z.array(element)` for thousands of lists, with the same errors. `isFine` is true only for what
 * `element` accepts.
 */
export function textList(element: z.ZodType<string, string>, isFine: (text: string) => boolean = () => true) {
  const list = z.array(element);
  return z.custom<string[]>().check((payload) => {
    const value: unknown = payload.value;
    if (Array.isArray(value) && value.every((item) => typeof item === 'string' && isFine(item))) return;
    for (const { path, message } of list.safeParse(value).error?.issues ?? [])
      payload.issues.push({ code: 'custom', path, message, input: value });
  });
}
