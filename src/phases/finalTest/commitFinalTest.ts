import * as z from 'zod';
import { provedCommand } from '../../domain/proof/commitEvidence.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { editsBeside, settleEdits, uncommittedPaths } from '../shared/proof/personEdits.ts';
import { adoptCandidate } from '../shared/proof/candidate.ts';
import { saveEvidence } from '../shared/proof/saveEvidence.ts';
import { statusRef } from '../shared/worktree/worktree.ts';
import { type FinalProof, testSession } from './proveFinalTest.ts';

/**
 * Gives the branch the final test that was proved (docs/decisions/033-final-test.md). Undeclared untracked
 * files are kept under a ref and removed, so that no later commit picks them up. A person is asked about
 * their own edits.
 */
export async function commitFinalTest(
  run: Run,
  ticket: TicketSnapshot,
  start: string,
  proof: FinalProof,
  number: number,
): Promise<void> {
  const { worktree } = ticketParts(ticket);
  const { commit, own, whole } = proof;
  await run.step('commit', z.null(), async (io) => {
    const about = { of: 'final_test', bead: null, iteration: number } as const;
    const commands = [...own, ...whole].map(provedCommand);
    await saveEvidence(io, ticket, { ...about, commit: commit ?? start, made: commit !== null, commands });
    await adoptCandidate(io, ticket, { commit, start, by: 'final_test' });
    return null;
  });
  await run.step('strays', z.array(z.string()), async (io) => {
    const { git } = io.ports;
    const left = await uncommittedPaths(io, ticket);
    const edits = await editsBeside(io, ticket, left, testSession(run, number));
    await settleEdits(io, ticket, edits);
    const strays = left.filter((path) => !edits.includes(path));
    if (strays.length === 0) return [];
    await git.keep(
      worktree,
      statusRef(ticket, `final-test-${ticket.attempt}-strays`),
      `${ticket.id}: undeclared files`,
    );
    await io.fence();
    await git.restore(worktree, strays);
    return [...strays];
  });
}
