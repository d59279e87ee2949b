import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import { CommitSha, presquashRef } from '../../domain/ids.ts';
import { CommitEvidence } from '../../domain/proof/commitEvidence.ts';
import { IntegrationReport } from '../../domain/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { HandlerDefinition, Run, StepIo } from '../../engine/run/run.ts';
import { artifactChange, readJson } from '../shared/artifacts.ts';
import { saveEvidence } from '../shared/proof/saveEvidence.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { look, Standing } from './standing.ts';
import { takeBase } from './takeBase.ts';

/**
 * Prepares the branch for its pull request (docs/decisions/042-integration-and-merge.md): on the base as it is now, with the bead commits as they are, or
 * one commit if the setting says so. In either case the commits are kept under a ref first. Throws INTEGRATION_FAILED if there is nothing to propose,
 * BASE_BRANCH_GONE and BASE_BRANCH_REWRITTEN.
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

/** Writes the first ref of its series that is free or already has these commits; the ref of an earlier round is never overwritten. */
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

function squash(run: Run, ticket: TicketSnapshot, mergeBase: string): Promise<string> {
  return run.step('squash', CommitSha, async (io) => {
    const commit = await squashOnce(io, ticket, mergeBase);
    await evidenceOfSquash(io, ticket, commit);
    return commit;
  });
}

/** A squash has the files of the last commit, so what was proved of that is proved of it. */
async function evidenceOfSquash(io: StepIo, ticket: TicketSnapshot, commit: string): Promise<void> {
  const { git, store } = io.ports;
  const proof = readJson(CommitEvidence, (await store.artifact(ticket.id, 'commit_evidence:final_test'))?.content);
  if (!proof || proof.tree !== (await git.treeOf(commit))) return;
  await saveEvidence(io, ticket, {
    of: 'integration',
    bead: null,
    iteration: proof.iteration,
    commit,
    made: true,
    commands: proof.commands,
  });
}

async function squashOnce(io: StepIo, ticket: TicketSnapshot, base: string): Promise<string> {
  const { worktree } = ticketParts(ticket);
  const { git } = io.ports;
  const trailers = { Ticket: ticket.id, Step: 'integration' };
  const head = await git.head(worktree);
  const commits = await git.commits(worktree, base, head);
  if (commits.length === 1 && (await git.findCommit(worktree, base, trailers)) === head) return head;
  await io.fence();
  return git.squash(worktree, { base, message: `${ticket.id}: ${ticket.title}`, trailers });
}
