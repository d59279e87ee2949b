import * as z from 'zod';
import { forgeText } from '../../base/forgeText.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { CommitSha, presquashRef } from '../../domain/core/ids.ts';
import { CommitEvidence } from '../../domain/proof/commitEvidence.ts';
import { provedCommand } from '../../domain/proof/provedCommand.ts';
import { IntegrationReport } from '../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, storedJson } from '../shared/ticket/artifacts.ts';
import { recordTip, recordedTip } from '../shared/worktree/branchTip.ts';
import { describeFailures } from '../shared/worktree/commands.ts';
import { saveEvidence } from '../shared/proof/saveEvidence.ts';
import { proveWhole } from '../shared/proof/wholeProof.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { look, Standing } from '../shared/base/standing.ts';
import { takeBase } from '../shared/base/takeBase.ts';

/**
 * Prepares the branch for its pull request (docs/decisions/042-integration-and-merge.md): on the current
 * base, as bead commits or as one. Throws INTEGRATION_FAILED, BASE_BRANCH_GONE, BASE_BRANCH_REWRITTEN.
 */
export const integrate: HandlerDefinition<'integrated'> = {
  version: 1,
  run: async (run, ticket) => {
    const { settings, worktree } = ticketParts(ticket);
    const standing = await run.step('look', Standing, (io) => look(io, ticket));
    if (standing.head === standing.mergeBase) {
      throw new BeadsmithError('INTEGRATION_FAILED', { reason: 'the branch holds no commit of its own' });
    }
    const { base } = standing;
    if (standing.isUnproved && !base) await proveKept(run, ticket, standing.head);
    const moved = base && (await takeBase(run, ticket, { ...standing, base }));
    const head = moved?.commit ?? standing.head;
    const mergeBase = moved?.base ?? standing.mergeBase;
    const ref = await keepCommits(run, ticket, head);
    const candidate = settings.integration === 'squash' ? await squash(run, ticket, mergeBase) : head;
    await run.step('report', z.null(), async (io) => {
      const { git } = io.ports;
      const report: IntegrationReport = {
        schema_version: 1,
        strategy: settings.integration,
        mergeBase,
        candidate,
        presquashRef: ref,
        commitCount: (await git.commits(worktree, mergeBase, candidate)).length,
        files: (await git.changedFiles(worktree, mergeBase, candidate)).map(({ path }) => path),
      };
      io.save(artifactChange(ticket, 'integration_report', IntegrationReport.parse(report)));
      return null;
    });
    return { exit: 'integrated' };
  },
};

/** The ref of an earlier round is never overwritten. */
function keepCommits(run: Run, ticket: TicketSnapshot, head: string): Promise<string> {
  return run.step('presquash', z.string(), async (io) => {
    const { git } = io.ports;
    for (let number = 1; ; number += 1) {
      const ref = presquashRef(ticket.id, number);
      const found = await git.resolve(ref);
      if (found === head) return ref;
      if (found !== undefined) continue;
      await io.fence();
      await git.updateRef(ref, head);
      return ref;
    }
  });
}

/** Tests the whole work again, with the commits that came after its final test. */
async function proveKept(run: Run, ticket: TicketSnapshot, head: string): Promise<void> {
  const failed = await run.step('prove-kept', z.string(), async (io) => {
    const { evidence } = await proveWhole(io, ticket, head, run.limits);
    const failures = describeFailures(evidence);
    if (failures !== '') return failures;
    const about = { of: 'integration', bead: null, iteration: 1, commit: head } as const;
    await saveEvidence(io, ticket, { ...about, made: true, commands: evidence.map(provedCommand) });
    return '';
  });
  if (failed !== '')
    throw new BeadsmithError('INTEGRATION_FAILED', {
      reason: `with the commits that came after the final test, checks fail: ${failed}`,
    });
}

const Squashed = z.object({ squashed: CommitSha });

function squash(run: Run, ticket: TicketSnapshot, mergeBase: string): Promise<string> {
  return run.step('squash', CommitSha, async (io) => {
    const { git } = io.ports;
    const { worktree } = ticketParts(ticket);
    const recorded = await recordedTip(io);
    const head = recorded?.commit ?? (await git.head(worktree));
    const isOne = (await git.commits(worktree, mergeBase, head)).length === 1;
    if (recorded?.by === 'squash' && isOne) return head;
    const noted = io.earlier
      .map((note) => Squashed.safeParse(note).data?.squashed)
      .findLast((sha) => sha !== undefined);
    const message = `${ticket.id}: ${forgeText.plain(ticket.title)}`;
    const trailers = { Ticket: ticket.id, Step: 'integration' };
    const commit = noted ?? (await git.squash(worktree, { base: mergeBase, message, trailers }));
    if (noted === undefined) await io.note({ squashed: commit });
    await evidenceOfSquash(io, ticket, commit);
    await io.fence();
    await git.adopt(worktree, commit, head);
    await recordTip(io, { commit, by: 'squash' });
    return commit;
  });
}

/** A squash has the files of the last commit, so the proof of that holds for it. */
async function evidenceOfSquash(io: StepIo, ticket: TicketSnapshot, commit: string): Promise<void> {
  const proof = await storedJson(io, 'commit_evidence:final_test', CommitEvidence);
  if (!proof || proof.tree !== (await io.ports.git.treeOf(commit))) return;
  const { iteration, commands } = proof;
  await saveEvidence(io, ticket, { of: 'integration', bead: null, iteration, commit, made: true, commands });
}
