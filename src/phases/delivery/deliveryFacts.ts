import * as z from 'zod';
import { reasonWithoutProof } from '../../domain/beads/bead.ts';
import { outcomeOf } from '../../domain/beads/outcome.ts';
import { passed } from '../../domain/core/evidence.ts';
import { SandboxGap } from '../../domain/environment/sandbox.ts';
import { CommitSha } from '../../domain/core/ids.ts';
import { BeadCommit, BeadExecution, FinalTestReport, IntegrationReport } from '../../domain/beads/reports.ts';
import { GuardedChange, GuardedReceipt } from '../../domain/guarded/catalogue/guardedChange.ts';
import { WeakenedTests, Weakening } from '../../domain/proof/weakening.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { classifyChange } from '../../domain/core/noise.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { StepIo } from '../../engine/run/run.ts';
import { readJson, storedJson } from '../shared/ticket/artifacts.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { attempted } from '../shared/worktree/worktree.ts';
import { newestProofs, ShownProof, newestIds } from './evidenceTable.ts';
import { readTemplate } from './pullRequestTemplate.ts';
import { TracedCriterion, tracedCriteria } from './traceability.ts';
import { preparedPaths } from '../shared/worktree/runtime.ts';

/** The most characters that a model sees (docs/decisions/043-pull-request-text.md). */
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

/** Facts of the database and git. Only the summaries are a model's words. */
export const DeliveryFacts = z.object({
  candidate: CommitSha,
  patch: z.string(),
  template: z.string().optional(),
  /** The issue that the ticket was imported from: `owner/name#7`. The pull request closes that one alone. */
  issue: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+#\d+$/)
    .optional(),
  criteria: z.array(TracedCriterion).optional(),
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
      /** The agent's decisions where nobody answered. */
      assumptions: z.array(z.string()).default([]),
      leftOut: z.array(z.string()),
      /** The reason why no command has to fail without it; empty if the plan gives none. */
      unproved: z.string().optional(),
      /** Changes that make tests prove less, which a person accepted. */
      weakened: z.array(Weakening).default([]),
      weakenedAt: z.string().optional(),
    }),
  ),
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
  ignored: z.array(z.string()).optional(),
  proofs: z.array(ShownProof).default([]),
  /** The reason why its commands and agents had no sandbox. */
  unsandboxed: SandboxGap.optional(),
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
  const { unsandboxed } = io.ports.process;
  const { worktree } = ticketParts(ticket);
  const report = await storedJson(io, 'integration_report', IntegrationReport);
  if (!report) throw new BeadsmithError('PULL_REQUEST_FAILED', { reason: 'there is no integration report' });
  const { mergeBase, candidate } = report;
  const patch = await git.diff(worktree, mergeBase, candidate);
  const beads: DeliveryFacts['beads'] = [];
  const plan = await store.beads(ticket.id);
  for (const bead of plan) {
    if (bead.status === 'skipped') continue;
    const { id, title, iteration, testCommands } = bead;
    const reason = reasonWithoutProof(bead);
    const commit = await storedJson(io, `bead_commit:${id}`, BeadCommit);
    const execution = await storedJson(io, `bead_execution:${id}`, BeadExecution);
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
  const test = await storedJson(io, 'final_test_report', FinalTestReport);
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
    criteria: await tracedCriteria(io, plan),
    ...(await issueOf(io, ticket)),
    missing: [...outcomeOf(plan).missing],
    guarded: await guardedOf(io),
    ignored: await ignoredOf(io, ticket),
    proofs: await newestProofs(io),
    ...(unsandboxed === undefined ? {} : { unsandboxed }),
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

/** On another host than the pull request, the name would mean another issue. */
async function issueOf(
  io: StepIo,
  { origin }: TicketSnapshot,
): Promise<Pick<DeliveryFacts, 'issue'> | undefined> {
  if (!origin) return undefined;
  const places = await attempted(io, () => io.ports.forges.places());
  if (!places.ok || places.value.some(({ base }) => base.host !== origin.host)) return undefined;
  const issue = DeliveryFacts.shape.issue.safeParse(
    `${origin.owner}/${origin.name}#${String(origin.number)}`,
  ).data;
  return issue === undefined ? undefined : { issue };
}

async function weakenedBy(
  io: StepIo,
  name: string,
): Promise<Pick<DeliveryFacts['beads'][number], 'weakened' | 'weakenedAt'>> {
  const receipt = await storedJson(io, `weakened_tests_receipt:${name}`, WeakenedTests);
  return receipt ? { weakened: receipt.weakenings, weakenedAt: receipt.accepted_at } : { weakened: [] };
}

const mostIgnored = 500;
const Inventory = z.object({ ignored: z.array(z.string()) });

/**
 * Paths that git ignores and that weren't there before the first bead, without the prepared environment: a
 * reviewer sees nothing of them, and the work may need them.
 */
async function ignoredOf(io: StepIo, ticket: TicketSnapshot): Promise<string[]> {
  const { store, git } = io.ports;
  const [first] = (await store.artifacts(ticket.id, { type: 'worktree_inventory' })).toSorted(
    (a, b) => a.id - b.id,
  );
  const before = first && readJson(Inventory, await store.artifactContent(first.id));
  const found = before && (await attempted(io, () => git.inspect(ticketParts(ticket).worktree)));
  if (!before || !found?.ok) return [];
  const setup = await preparedPaths(io);
  const known = new Set(before.ignored);
  // A wholly ignored folder is one path, and known by what would be in it.
  const isWork = (path: string) =>
    [path, `${path}/file`].every((one) =>
      ['committable', 'doubtful'].includes(classifyChange({ path: one, state: 'untracked' }, { setup })),
    );
  return found.value.ignored.filter((path) => !known.has(path) && isWork(path)).slice(0, mostIgnored);
}

async function guardedOf(io: StepIo): Promise<DeliveryFacts['guarded']> {
  const newest = await newestIds(io, 'guarded_changes_receipt:');
  const contents = await Promise.all(newest.map((id) => io.ports.store.artifactContent(id)));
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
