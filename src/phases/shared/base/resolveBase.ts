import * as z from 'zod';
import { CommitSha, RelativePath } from '../../../domain/core/ids.ts';
import { timeoutMs } from '../../../domain/settings/settings.ts';
import type { TicketSnapshot } from '../../../domain/ticket/ticket.ts';
import type { Run, StepIo } from '../../../engine/run/run.ts';
import { ask } from '../ask/ask.ts';
import { failedCall, isFailureOf } from '../ask/providerError.ts';
import { endStraySessions } from '../ask/sessionNotes.ts';
import { ticketParts } from '../ticket/ticketParts.ts';
import { askChoice } from '../ticket/askChoice.ts';
import { selectPaths } from '../worktree/commit.ts';
import { guardCommit } from '../proof/guardChanges.ts';
import { endSessions, prepareSession } from '../worktree/sessions.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { resetAttempt } from '../worktree/worktree.ts';

/**
 * A merge that isn't finished: its tree, with conflict markers in `files`, and what the commit that ends it
 * stands on. `head`: where the branch is.
 */
export interface Draft {
  readonly tree: string;
  readonly files: readonly string[];
  readonly parents: readonly string[];
  readonly head: string;
  readonly message: string;
}

/** A draft with what is wrong with it. */
export interface DraftWork extends Draft {
  readonly problem: string;
}

/** The commit that ends a merge; null if there is none yet, and why. */
const Resolved = z.object({ commit: CommitSha.nullable(), problem: z.string() });
export type Resolved = z.infer<typeof Resolved>;

/** A model's answer in `<BASE_RESOLUTION>`. */
export const Resolution = z.object({
  summary: z.string().default(''),
  new_files: z.array(RelativePath).default([]),
});

/** Lets the main implementer resolve it in a fresh session, in the ticket's worktree. */
export async function resolveByAgent(
  run: Run,
  ticket: TicketSnapshot,
  work: DraftWork,
  turn: number,
): Promise<Resolved> {
  await openDraft(run, ticket, work, turn);
  await prepareSession(run, ticket, `base:prepare:${String(turn)}`);
  try {
    const { value } = await ask(run, ticket, {
      key: `base:resolve:${String(turn)}`,
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

/** Writes the files into the ticket's worktree and waits for the person to resolve them there. */
export async function resolveByPerson(
  run: Run,
  ticket: TicketSnapshot,
  work: DraftWork,
  turn: number,
): Promise<Resolved> {
  const { worktree } = ticketParts(ticket);
  await openDraft(run, ticket, work, turn);
  await run.step(`base:wait:${String(turn)}`, z.string(), async (io) => {
    const { words } = await askChoice(io, {
      asked: `base:wait:${String(turn)}`,
      header: 'Resolve the files',
      text: `Resolve the files in ${worktree}. Don't commit; Beadsmith does after its checks.\n\n${work.problem}`.slice(
        0,
        4_000,
      ),
      options: [{ label: 'Resolved', description: 'The files are as they should be. The checks run again.' }],
    });
    return words;
  });
  return closeDraft(run, ticket, work, turn, undefined);
}

/** The worktree as the merge left it. What was there before is kept under a ref. */
async function openDraft(
  run: Run,
  ticket: TicketSnapshot,
  { tree, head }: Draft,
  turn: number,
): Promise<void> {
  await run.step(`base:open:${String(turn)}`, z.null(), async (io) => {
    await endStraySessions(io, run.runId);
    await endSessions(io, (session) => session.run === run.runId);
    await resetAttempt(io, ticket, head, `base-update-${String(ticket.attempt)}-${String(turn)}`);
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
  return run.step(`base:close:${String(turn)}`, Resolved, async (io) => {
    const { git } = io.ports;
    await endSessions(io, (session) => session.run === run.runId);
    await io.fence();
    const select = await selectPaths(io, { wanted: named ?? [] });
    const added = select((await git.status(worktree)).filter(({ state }) => state === 'untracked')).paths;
    const untracked =
      named === undefined
        ? added
        : added.filter((path) => named.some((place) => path === place || path.startsWith(`${place}/`)));
    const ref = `refs/beadsmith/${ticket.id}/candidate/base`;
    const { head, tree, parents, message } = work;
    const commit = await git.resolvedConflicts(worktree, { head, tree, parents, untracked, message, ref });
    const open = await unresolved(io, commit, work.files);
    if (open.length === 0) {
      const [from = head, ...others] = parents;
      const problem = await guardCommit(
        io,
        ticket,
        { name: 'base-update', from, to: commit, planned: [] },
        others,
      );
      return { commit: problem === '' ? commit : null, problem };
    }
    return {
      commit: null,
      problem: `These files still have conflict markers:\n${open.map((file) => `- ${file}`).join('\n')}`,
    };
  });
}

/** Those of the files that still hold conflict markers. */
async function unresolved(io: StepIo, commit: string, files: readonly string[]): Promise<string[]> {
  const open: string[] = [];
  for (const file of files) {
    const text = new TextDecoder().decode((await io.ports.git.blob(commit, file)) ?? new Uint8Array());
    if (/^(?:<{7}|>{7}) /m.test(text)) open.push(file);
  }
  return open;
}
