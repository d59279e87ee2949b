import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';
import { CommitSha, RelativePath, startRef, ticketRef } from '../../../domain/core/ids.ts';
import { provedCommand } from '../../../domain/proof/provedCommand.ts';
import { BaseUpdateReport } from '../../../domain/beads/reports.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { artifactChange, isoNow } from '../ticket/artifacts.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { recordTip } from '../worktree/branchTip.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { describeFailures, failuresOf } from '../worktree/commands.ts';
import { fileText } from '../proof/changedTexts.ts';
import { Proof } from '../proof/cleanRoom.ts';
import { saveEvidence } from '../proof/saveEvidence.ts';
import { proveWhole } from '../proof/wholeProof.ts';
import { resetAttempt } from '../worktree/worktree.ts';
import type { MovedStanding } from './standing.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import { ask } from '../ask/ask.ts';
import { failedCall, isFailureOf } from '../ask/providerError.ts';
import { endStraySessions } from '../ask/sessionNotes.ts';
import { selectPaths } from '../worktree/commit.ts';
import { guardCommit } from '../proof/guardChanges.ts';
import { endSessions, prepareSession } from '../worktree/sessions.ts';
import { parseStructured } from '../structured/parseStructured.ts';

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

const agentTries = 2;

export type Settled = { readonly commit: string; readonly base: string } | null;

/**
 * Puts the work on its moved base in the scratch worktree, and proves it there. Where that fails a person
 * chooses who resolves it. The branch gets only what passed.
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
  const adapted = `${ticket.id}: adapt to ${base.branch}`;
  let draft: Draft =
    taken.kind === 'conflicts'
      ? { ...taken, head, message }
      : { tree: taken.commit, files: [], parents: [taken.commit], head, message: adapted };
  let problem = conflictText(base.branch, conflicts);
  let commit = taken.kind === 'taken' ? taken.commit : undefined;
  let resolvedBy = null as BaseUpdateReport['resolvedBy'];
  let tries = 0;
  for (let turn = 0; ; turn += 1) {
    if (commit !== undefined) {
      const proved = commit;
      const { evidence } = await run.step(`base:proof:${turn}`, Proof, (io) =>
        proveWhole(io, onBase, proved, run.limits),
      );
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
      ? await askHow(run, ticket, problem, turn)
      : { choice: 'agent', words: '' };
    if (asksAgain) tries = 0;
    if (choice === 'leave') {
      await run.step('base:leave', z.null(), async (io) => {
        await resetAttempt(io, ticket, head, `base-update-${ticket.attempt}-left`);
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

function askHow(run: Run, ticket: TicketSnapshot, problem: string, turn: number): Promise<Decision> {
  const { worktree } = ticketParts(ticket);
  return run.step(`base:ask:${turn}`, Decision, async (io) => {
    const { choice, words } = await askChoice(io, {
      asked: `base:${turn}`,
      topic: 'base_update',
      header: 'Update from base',
      text: problem.slice(0, 4_000),
      options: [
        {
          id: 'agent',
          label: 'Agent',
          description: 'An agent resolves it in the worktree of the ticket. The checks run again.',
        },
        {
          id: 'person',
          label: 'Myself',
          description: `The files are opened in ${worktree}, where you resolve them.`,
        },
        {
          id: 'leave',
          label: 'Leave',
          description: 'The branch stays as it is, on the commit it started from.',
        },
      ],
    });
    // An answer in words alone is an instruction.
    return { choice: choice ?? (words === '' ? 'leave' : 'agent'), words };
  });
}

async function adopt(
  run: Run,
  ticket: TicketSnapshot,
  taken: {
    readonly commit: string;
    readonly standing: MovedStanding;
    readonly report: Pick<BaseUpdateReport, 'how' | 'conflicts' | 'resolvedBy' | 'evidence'>;
  },
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { commit, report } = taken;
  const { base, head, mergeBase } = taken.standing;
  await run.step('base:adopt', z.null(), async (io) => {
    const { git } = io.ports;
    const found = await git.head(worktree);
    if (found !== head && found !== commit) {
      throw new BeadsmithError('INTEGRATION_FAILED', {
        reason: 'the branch moved while it was being updated from its base',
      });
    }
    if (!(await git.isAncestor(head, commit)))
      await git.updateRef(ticketRef(ticket.id, `before-update/${head.slice(0, 12)}`), head);
    await io.fence();
    await git.resetHard(worktree, commit);
    await recordTip(io, { commit, by: 'base' });
    await git.updateRef(startRef(ticket.id), base.commit);
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

/** A merge with conflict markers in `files`. `head`: the branch. */
interface Draft {
  readonly tree: string;
  readonly files: readonly string[];
  readonly parents: readonly string[];
  readonly head: string;
  readonly message: string;
}

type DraftWork = Draft & { readonly problem: string };

const Resolved = z.object({ commit: CommitSha.nullable(), problem: z.string() });
type Resolved = z.infer<typeof Resolved>;

export const Resolution = z.object({
  summary: z.string().default(''),
  new_files: z.array(RelativePath).default([]),
});

async function resolveByAgent(
  run: Run,
  ticket: TicketSnapshot,
  work: DraftWork,
  turn: number,
): Promise<Resolved> {
  await openDraft(run, ticket, work, turn);
  await prepareSession(run, ticket, `base:prepare:${turn}`);
  try {
    const { value } = await ask(run, ticket, {
      key: `base:resolve:${turn}`,
      contextKey: 'base_update',
      prompt: 'base-update',
      member: ticketParts(ticket).settings.mainImplementer,
      sections: [{ name: 'failing_evidence', content: work.problem }],
      parse: parseStructured({ tag: 'BASE_RESOLUTION', schema: Resolution }),
      result: Resolution,
      activeMs: timeoutMs(run.limits.perIterationTimeout),
      beforeFreshSession: (io) => io.ports.git.openConflicts(ticketParts(ticket).worktree, work.tree),
    });
    return await closeDraft(run, ticket, work, turn, value.new_files);
  } catch (error) {
    if (!isFailureOf(error, failedCall)) throw error;
    return { commit: null, problem: `${work.problem}\n\nThe agent did not resolve it: ${error.message}` };
  }
}

async function resolveByPerson(
  run: Run,
  ticket: TicketSnapshot,
  work: DraftWork,
  turn: number,
): Promise<Resolved> {
  const { worktree } = ticketParts(ticket);
  await openDraft(run, ticket, work, turn);
  await run.step(`base:wait:${turn}`, z.string(), async (io) => {
    const { words } = await askChoice(io, {
      asked: `base:wait:${turn}`,
      topic: 'conflicts',
      header: 'Resolve the files',
      text: `Resolve the files in ${worktree}. Don't commit; Beadsmith does after its checks.\n\n${work.problem}`.slice(
        0,
        4_000,
      ),
      options: [
        {
          id: 'resolved',
          label: 'Resolved',
          description: 'The files are as they should be. The checks run again.',
        },
      ],
    });
    return words;
  });
  return closeDraft(run, ticket, work, turn, undefined);
}

async function openDraft(
  run: Run,
  ticket: TicketSnapshot,
  { tree, head }: Draft,
  turn: number,
): Promise<void> {
  await run.step(`base:open:${turn}`, z.null(), async (io) => {
    await endStraySessions(io, run.runId);
    await endSessions(io, (session) => session.run === run.runId);
    await resetAttempt(io, ticket, head, `base-update-${ticket.attempt}-${turn}`);
    await io.ports.git.openConflicts(ticketParts(ticket).worktree, tree);
    return null;
  });
}

function closeDraft(
  run: Run,
  ticket: TicketSnapshot,
  work: Draft,
  turn: number,
  named: readonly string[] | undefined,
): Promise<Resolved> {
  const { worktree } = ticketParts(ticket);
  return run.step(`base:close:${turn}`, Resolved, async (io) => {
    const { git } = io.ports;
    await endSessions(io, (session) => session.run === run.runId);
    await io.fence();
    const select = await selectPaths(io, { wanted: named ?? [] });
    const added = select((await git.status(worktree)).filter(({ state }) => state === 'untracked')).paths;
    const isNamed = (path: string): boolean =>
      named?.some((place) => path === place || path.startsWith(`${place}/`)) ?? true;
    const untracked = added.filter(isNamed);
    const ref = ticketRef(ticket.id, 'candidate/base');
    const { head, tree, parents, message } = work;
    const commit = await git.resolvedConflicts(worktree, { head, tree, parents, untracked, message, ref });
    const open = await unresolved(io, commit, work.files);
    if (open.length === 0) {
      const [from = head, ...others] = parents;
      const guarded = { name: 'base-update', from, to: commit, planned: [] };
      const problem = await guardCommit(io, ticket, guarded, others);
      return { commit: problem === '' ? commit : null, problem };
    }
    return {
      commit: null,
      problem: `These files still have conflict markers:\n${open.map((file) => `- ${file}`).join('\n')}`,
    };
  });
}

async function unresolved(io: StepIo, commit: string, files: readonly string[]): Promise<string[]> {
  const open: string[] = [];
  for (const file of files) {
    if (/^(?:<{7}|>{7}) /m.test(await fileText(io, commit, file))) open.push(file);
  }
  return open;
}
