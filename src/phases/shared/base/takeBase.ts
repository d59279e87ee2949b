import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha } from '../../../domain/core/ids.ts';
import { provedCommand } from '../../../domain/proof/commitEvidence.ts';
import { BaseUpdateReport } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordTip } from '../worktree/branchTip.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { describeFailures, failuresOf } from '../worktree/commands.ts';
import { Proof } from '../proof/cleanRoom.ts';
import { saveEvidence } from '../proof/saveEvidence.ts';
import { proveWhole } from '../proof/wholeProof.ts';
import { resetAttempt } from '../worktree/worktree.ts';
import { type Draft, resolveByAgent, resolveByPerson } from './resolveBase.ts';
import type { MovedStanding } from './standing.ts';

const Taken = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('taken'), commit: CommitSha, how: z.enum(['none', 'rebase', 'merge']) }),
  z.object({
    kind: z.literal('conflicts'),
    tree: CommitSha,
    files: z.array(z.string()),
    parents: z.array(CommitSha),
  }),
]);
const Decision = z.object({ choice: z.enum(['agent', 'person', 'leave']), words: z.string() });
type Decision = z.infer<typeof Decision>;

/** The number of times that the agent tries before a person is asked again. */
const agentTries = 2;

/** A commit that stands on the new base and was proved; null if a person leaves the work where it is. */
export type Settled = { readonly commit: string; readonly base: string } | null;

/**
 * Puts the work on its moved base, in the scratch worktree, and proves it there
 * (docs/decisions/076-update-from-base.md). Where files conflict or a check fails, a person chooses: the
 * agent resolves it, they do it themselves, or the work stays on the commit it began at. The branch gets only
 * what passed.
 */
export async function takeBase(run: Run, ticket: TicketSnapshot, standing: MovedStanding): Promise<Settled> {
  const { head, mergeBase: start, base } = standing;
  const { branch } = ticketParts(ticket);
  const message = `Merge ${base.branch} into ${branch}`;
  const onBase = { ...ticket, baseBranch: base.branch, baseCommit: base.commit };
  const taken = await run.step('base:take', Taken, async (io) => {
    await io.fence();
    const pushed = (await io.ports.git.base(`origin/${branch}`))?.side === 'origin';
    const found = await io.ports.git.takeBase(ticket.id, {
      start,
      head,
      base: base.commit,
      message,
      linear: !pushed,
    });
    return found.kind === 'conflicts'
      ? { ...found, files: [...found.files], parents: [...found.parents] }
      : found;
  });
  const conflicts = taken.kind === 'conflicts' ? taken.files : [];
  let draft: Draft =
    taken.kind === 'conflicts'
      ? { ...taken, head, message }
      : {
          tree: taken.commit,
          files: [],
          parents: [taken.commit],
          head,
          message: `${ticket.id}: adapt to ${base.branch}`,
        };
  let problem = conflictText(base.branch, conflicts);
  let commit = taken.kind === 'taken' ? taken.commit : undefined;
  let resolvedBy = null as BaseUpdateReport['resolvedBy'];
  let tries = 0;
  for (let turn = 0; ; turn += 1) {
    if (commit !== undefined) {
      const { evidence } = await prove(run, onBase, commit, `base:proof:${String(turn)}`);
      if (failuresOf(evidence).length === 0) {
        const how = taken.kind === 'taken' ? taken.how : 'merge';
        await adopt(run, onBase, { commit, standing, report: { how, conflicts, resolvedBy, evidence } });
        return { commit, base: base.commit };
      }
      problem = `With ${base.branch} at ${base.commit.slice(0, 12)} these checks fail:\n\n${describeFailures(evidence)}`;
      // What was resolved isn't resolved again.
      draft = { ...draft, tree: commit };
    }
    const asksAgain: boolean = resolvedBy !== 'agent' || tries >= agentTries;
    const { choice, words }: Decision = asksAgain
      ? await ask(run, ticket, problem, turn)
      : { choice: 'agent', words: '' };
    if (asksAgain) tries = 0;
    if (choice === 'leave') {
      await run.step('base:leave', z.null(), async (io) => {
        await resetAttempt(io, ticket, head, `base-update-${String(ticket.attempt)}-left`);
        return null;
      });
      return null;
    }
    const work = { ...draft, problem: words === '' ? problem : `${problem}\n\nFrom the user: ${words}` };
    const resolved =
      choice === 'agent'
        ? await resolveByAgent(run, ticket, work, turn)
        : await resolveByPerson(run, ticket, work, turn);
    resolvedBy = choice;
    tries += 1;
    commit = resolved.commit ?? undefined;
    if (resolved.commit === null) problem = resolved.problem;
  }
}

function conflictText(base: string, files: readonly string[]): string {
  return `${base} moved, and these files conflict with it:\n${files.map((file) => `- ${file}`).join('\n')}`;
}

function prove(run: Run, ticket: TicketSnapshot, commit: string, key: string): Promise<Proof> {
  return run.step(key, Proof, (io) => proveWhole(io, ticket, commit, run.limits));
}

function ask(run: Run, ticket: TicketSnapshot, problem: string, turn: number): Promise<Decision> {
  const { worktree } = ticketParts(ticket);
  const labels = { Agent: 'agent', Myself: 'person', Leave: 'leave' } as const;
  return run.step(`base:ask:${String(turn)}`, Decision, async (io) => {
    const { choice, words } = await askChoice(io, {
      asked: `base:${String(turn)}`,
      header: 'Update from base',
      text: problem.slice(0, 4_000),
      options: [
        {
          label: 'Agent',
          description: 'An agent resolves it in the worktree of the ticket. The checks run again.',
        },
        { label: 'Myself', description: `The files are opened in ${worktree}, where you resolve them.` },
        { label: 'Leave', description: 'The branch stays as it is, on the commit it started from.' },
      ],
    });
    // An answer in words alone is an instruction.
    return { choice: choice === undefined ? (words === '' ? 'leave' : 'agent') : labels[choice], words };
  });
}

/** Gives the branch the proved commit, with the old one under a ref, and the ticket its new base. */
async function adopt(
  run: Run,
  ticket: TicketSnapshot,
  {
    commit,
    standing,
    report,
  }: {
    commit: string;
    standing: MovedStanding;
    report: Pick<BaseUpdateReport, 'how' | 'conflicts' | 'resolvedBy' | 'evidence'>;
  },
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { base, head, mergeBase } = standing;
  await run.step('base:adopt', z.null(), async (io) => {
    const { git } = io.ports;
    const found = await git.head(worktree);
    if (found !== head && found !== commit) {
      throw new BeadsmithError('INTEGRATION_FAILED', {
        reason: 'the branch moved while it was being updated from its base',
      });
    }
    await keepFormer(io, ticket, head, commit);
    await io.fence();
    await git.resetHard(worktree, commit);
    await recordTip(io, { commit, by: 'base' });
    await git.updateRef(`refs/beadsmith/${ticket.id}/worktree/start`, base.commit);
    io.save({ type: 'ticket', set: { baseBranch: base.branch, baseCommit: base.commit } });
    const whole: BaseUpdateReport = {
      schema_version: 1,
      ...report,
      baseBranch: base.branch,
      from: mergeBase,
      to: base.commit,
      before: head,
      commit,
      updatedAt: isoNow(io),
    };
    io.save(artifactChange(ticket, 'base_update', BaseUpdateReport.parse(whole)));
    const commands = report.evidence.map(provedCommand);
    await saveEvidence(io, ticket, {
      of: 'integration',
      bead: null,
      iteration: 1,
      commit,
      made: true,
      commands,
    });
    return null;
  });
}

async function keepFormer(io: StepIo, ticket: TicketSnapshot, head: string, commit: string): Promise<void> {
  if (await io.ports.git.isAncestor(head, commit)) return;
  await io.ports.git.updateRef(`refs/beadsmith/${ticket.id}/before-update/${head.slice(0, 12)}`, head);
}
