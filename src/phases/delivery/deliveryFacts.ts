import * as z from 'zod';
import { reasonWithoutProof } from '../../domain/beads/bead.ts';
import { outcomeOf } from '../../domain/beads/outcome.ts';
import { passed } from '../../domain/core/evidence.ts';
import { SandboxGap } from '../../domain/environment/sandbox.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import { BeadCommit, BeadExecution, FinalTestReport, IntegrationReport } from '../../domain/beads/reports.ts';
import { GuardedChange, GuardedReceipt } from '../../domain/guarded/catalogue/guardedChange.ts';
import { WeakenedTests, Weakening } from '../../domain/proof/testIntegrity.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { RecordIo, StepIo } from '../../engine/run/run.ts';
import type { ArtifactType } from '../../domain/ticket/artifacts.ts';
import { readJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { newestProofs, ShownProof } from './evidenceTable.ts';
import { readTemplate } from './pullRequestTemplate.ts';

/** The most characters of the patch that a model sees (docs/decisions/043-pull-request-text.md). */
const longestPatch = 30_000;

const Command = z.object({
  command: z.string(),
  passed: z.boolean(),
  seconds: z.number(),
  /** Failures that the untouched base has as well. */
  known: z.number().int().optional(),
  flaky: z.boolean().optional(),
  flakyTests: z.array(z.string()).optional(),
});

/**
 * The facts about the finished work that the database and git give. Only the summaries are a model's words.
 */
export const DeliveryFacts = z.object({
  candidate: CommitSha,
  patch: z.string(),
  /** The pull-request template of the base; empty if it has none. */
  template: z.string().optional(),
  commits: z.array(z.object({ sha: CommitSha, subject: z.string() })),
  files: z.array(z.string()),
  beads: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      iterations: z.number().int(),
      commit: CommitSha.nullable(),
      commands: z.array(Command),
      summary: z.string(),
      /** Its agent's decisions where nobody answered. */
      assumptions: z.array(z.string()).default([]),
      leftOut: z.array(z.string()),
      /** Set if no command has to fail without it: why, or empty if the plan doesn't say. */
      unproved: z.string().optional(),
      /** Changes that make tests prove less, which a person accepted. */
      weakened: z.array(Weakening).default([]),
      /** Time when a person accepted them. */
      weakenedAt: z.string().optional(),
    }),
  ),
  /** Beads of the plan that aren't in the work. */
  missing: z
    .array(z.object({ bead: z.string(), title: z.string(), state: z.string(), reason: z.string() }))
    .default([]),
  /** Secrets and protected files that a person accepted, and for which work. */
  guarded: z
    .array(
      GuardedChange.extend({
        name: z.string(),
        acceptedAt: z.string(),
        byRepository: z.boolean().optional(),
      }),
    )
    .default([]),
  /** Paths that the work made and git ignores. */
  ignored: z.array(z.string()).optional(),
  /** The proofs of the commits. */
  proofs: z.array(ShownProof).default([]),
  /** The reason why its commands and agents had no sandbox, if they had none. */
  unboxed: SandboxGap.optional(),
  finalTest: z
    .object({
      summary: z.string(),
      attempts: z.number().int(),
      commands: z.array(Command),
      regression: z.array(Command),
      weakened: z.array(Weakening).default([]),
      weakenedAt: z.string().optional(),
    })
    .nullable(),
});
export type DeliveryFacts = z.infer<typeof DeliveryFacts>;

export async function gatherFacts(io: StepIo, ticket: TicketSnapshot): Promise<DeliveryFacts> {
  const { store, git } = io.ports;
  const { unboxed } = io.ports.process;
  const { worktree } = ticketParts(ticket);
  const report = await storedReport(io, 'integration_report', IntegrationReport);
  if (!report) throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: 'there is no integration report' });
  const { mergeBase, candidate } = report;
  const patch = await git.diff(worktree, mergeBase, candidate);
  const beads: DeliveryFacts['beads'] = [];
  const plan = await store.beads(ticket.id);
  for (const bead of plan) {
    if (bead.status === 'skipped') continue;
    const { id, title, iteration, testCommands } = bead;
    const reason = reasonWithoutProof(bead);
    const commit = await storedReport(io, `bead_commit:${id}`, BeadCommit);
    const execution = await storedReport(io, `bead_execution:${id}`, BeadExecution);
    beads.push({
      id,
      title,
      iterations: iteration,
      commit: commit?.commit ?? null,
      commands: (execution?.evidence ?? []).map(commandOf),
      summary: execution?.devRecord?.summary ?? '',
      assumptions: execution?.devRecord?.assumptions ?? [],
      leftOut: commit?.leftOut ?? [],
      ...(testCommands.length === 0 || reason !== '' ? { unproved: reason } : {}),
      ...(await weakenedBy(io, id)),
    });
  }
  const test = await storedReport(io, 'final_test_report', FinalTestReport);
  const commits = await git.commits(worktree, mergeBase, candidate);
  return {
    candidate,
    patch:
      patch.length <= longestPatch
        ? patch
        : `${patch.slice(0, longestPatch)}\n[… ${patch.length - longestPatch} characters left out …]`,
    // Of the base: the ticket's own work has no say in how it is presented.
    template: await readTemplate(git, mergeBase),
    commits: commits.map(({ sha, subject }) => ({ sha, subject })),
    files: report.files,
    beads,
    missing: [...outcomeOf(plan).missing],
    guarded: await guardedOf(io),
    ignored: await ignoredOf(io, ticket),
    proofs: await newestProofs(io, ticket.id),
    ...(unboxed === undefined ? {} : { unboxed }),
    finalTest: test
      ? {
          summary: test.summary,
          attempts: test.attempts.length,
          commands: (test.attempts.at(-1)?.evidence ?? []).map(commandOf),
          regression: test.regression.map(commandOf),
          ...(await weakenedBy(io, 'final-test')),
        }
      : null,
  };
}

/** The current version of a ticket's report; undefined if there is none that can be read. */
export async function storedReport<T>(
  { ports, ticket }: RecordIo,
  type: ArtifactType,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  return readJson(schema, (await ports.store.artifact(ticket, type))?.content);
}

async function weakenedBy(
  io: StepIo,
  name: string,
): Promise<Pick<DeliveryFacts['beads'][number], 'weakened' | 'weakenedAt'>> {
  const receipt = await storedReport(io, `weakened_tests_receipt:${name}`, WeakenedTests);
  return receipt ? { weakened: receipt.weakenings, weakenedAt: receipt.accepted_at } : { weakened: [] };
}

/** More than this says nothing to a reviewer. */
const mostIgnored = 500;
const Inventory = z.object({ ignored: z.array(z.string()) });

/**
 * Returns the paths that git ignores in the worktree and that weren't there before the first bead: a reviewer
 * sees nothing of them, and the work may need them. The prepared environment isn't part of it.
 */
async function ignoredOf(io: StepIo, ticket: TicketSnapshot): Promise<string[]> {
  const { store, git } = io.ports;
  const [first] = (await store.artifacts(ticket.id, { type: 'worktree_inventory' })).toSorted(
    (a, b) => a.id - b.id,
  );
  const before = first && readJson(Inventory, await store.artifactContent(first.id));
  const found = before && (await attempted(io, () => git.inspect(ticketParts(ticket).worktree)));
  if (!before || !found?.ok) return [];
  const profile = await storedReport(io, 'execution_setup_profile', SetupProfile);
  const setup = profile
    ? [...profile.temp_roots, ...[...profile.reusable_artifacts, ...profile.inputs].map((item) => item.path)]
    : [];
  const known = new Set(before.ignored);
  // A folder that is ignored as a whole is one path, and known by what would lie in it.
  const isWork = (path: string) =>
    [path, `${path}/file`].every((one) =>
      ['committable', 'doubtful'].includes(classifyChange({ path: one, state: 'untracked' }, { setup })),
    );
  return found.value.ignored.filter((path) => !known.has(path) && isWork(path)).slice(0, mostIgnored);
}

async function guardedOf(io: StepIo): Promise<DeliveryFacts['guarded']> {
  const { store } = io.ports;
  const infos = await store.artifacts(io.ticket, { type: 'guarded_changes_receipt:', archived: false });
  const newest = new Map(infos.toSorted((a, b) => a.id - b.id).map((info) => [info.type, info.id]));
  const contents = await Promise.all([...newest.values()].map((id) => store.artifactContent(id)));
  return contents.flatMap((content) => {
    const receipt = readJson(GuardedReceipt, content);
    const byRepository = new Set(receipt?.by_repository);
    return (receipt?.findings ?? []).map((found) => ({
      ...found,
      name: receipt?.name ?? '',
      acceptedAt: receipt?.accepted_at ?? '',
      ...(byRepository.has(`${found.kind} ${found.path}`) ? { byRepository: true } : {}),
    }));
  });
}

function commandOf(evidence: BeadExecution['evidence'][number]): z.infer<typeof Command> {
  const { command, knownFailures, flaky, flakyTests } = evidence;
  return {
    command,
    passed: passed(evidence),
    seconds: Math.round(evidence.durationMs / 100) / 10,
    ...(knownFailures ? { known: knownFailures.length } : {}),
    ...(flaky ? { flaky } : {}),
    ...(flakyTests ? { flakyTests } : {}),
  };
}
