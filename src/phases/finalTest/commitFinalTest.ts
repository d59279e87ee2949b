import * as z from 'zod';
import { SetupProfile } from '../../domain/documents/setupPlan.ts';
import { Evidence } from '../../domain/evidence.ts';
import { CommitSha } from '../../domain/ids.ts';
import type { FinalTestCommands } from '../../domain/reports.ts';
import type { TicketSnapshot } from '../../domain/ticket.ts';
import type { FileChange } from '../../engine/ports/ports.ts';
import type { Run, StepIo } from '../../engine/run/run.ts';
import { readJson } from '../shared/artifacts.ts';
import { ticketParts } from '../shared/ask/ticketParts.ts';
import { runCommands } from '../shared/commands.ts';
import { commitOnce, selectPaths } from '../shared/commit.ts';
import { writeRuntime } from '../shared/runtime.ts';
import { statusRef } from '../shared/worktree.ts';

export interface FinalTestWork {
  readonly start: string;
  readonly tree: string;
  readonly answer: z.infer<typeof FinalTestCommands>;
}

const Committed = z.object({ commit: CommitSha.nullable(), strays: z.array(z.string()) });

/**
 * Commits what the final test declared and every change of a tracked file (docs/decisions/033-final-test.md). Undeclared untracked files are kept
 * under a ref and removed, so that no later commit picks them up. The project's whole suite runs in between; its result is recorded and decides
 * nothing.
 */
export async function commitFinalTest(
  run: Run,
  ticket: TicketSnapshot,
  work: FinalTestWork,
): Promise<{ readonly commit: string | null; readonly regression: Evidence[] }> {
  const { worktree } = ticketParts(ticket);
  const { commit } = await run.step('commit', Committed, (io) => commitDeclared(io, ticket, work));
  const regression = await run.step('regression', z.array(Evidence), async (io) => {
    const profile = readJson(SetupProfile, (await io.ports.store.artifact(ticket.id, 'execution_setup_profile'))?.content);
    const commands = profile?.project_commands.test_full ?? [];
    if (commands.length === 0) return [];
    return runCommands(io, ticket, { commands, wrapper: await writeRuntime(io, ticket), limits: run.limits, all: true });
  });
  await run.step('strays', z.array(z.string()), async (io) => {
    const { git } = io.ports;
    const strays = (await selectPaths(io))(await git.status(worktree)).paths;
    if (strays.length === 0) return [];
    await git.keep(worktree, statusRef(ticket, `final-test-${ticket.attempt}-strays`), `${ticket.id}: files nobody declared`);
    await io.fence();
    await git.restore(worktree, strays);
    return [...strays];
  });
  return { commit, regression };
}

async function commitDeclared(
  io: StepIo,
  ticket: TicketSnapshot,
  { start, tree, answer }: FinalTestWork,
): Promise<z.infer<typeof Committed>> {
  const { worktree, branch } = ticketParts(ticket);
  const wanted = [...answer.test_files, ...answer.modified_files];
  const select = await selectPaths(io, { wanted });
  const { commit, leftOut } = await commitOnce(io, {
    worktree,
    branch,
    start,
    tree,
    message: `test(${ticket.id}): final test`,
    trailers: { Ticket: ticket.id, Step: 'final-test' },
    select: (changes) => {
      const { paths, leftOut } = select(changes);
      const undeclared = new Set(changes.filter((change) => isUndeclared(change, wanted)).map(({ path }) => path));
      return {
        paths: paths.filter((path) => !undeclared.has(path)),
        leftOut: [...leftOut, ...paths.filter((path) => undeclared.has(path))],
      };
    },
  });
  return { commit, strays: [...leftOut] };
}

function isUndeclared({ path, state }: FileChange, wanted: readonly string[]): boolean {
  return state === 'untracked' && !wanted.some((place) => path === place || path.startsWith(`${place}/`));
}
