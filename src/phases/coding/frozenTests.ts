import * as z from 'zod';
import type { Bead } from '../../domain/beads/bead.ts';
import { isTestFile } from '../../domain/proof/provingFiles.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { Run } from '../../engine/run/run.ts';
import { ticketParts } from '../shared/ticket/ticketParts.ts';
import { startOf } from './bead/candidate.ts';

/**
 * Returns what is wrong if the tests of the approved plan are frozen and a candidate changes one, in words
 * for the coder; empty if it doesn't (docs/decisions/051-red-first.md). Frozen are the target files of all
 * beads that are tests and were there when the plan was approved. A person's own edits are commits before the
 * bead's start, so they don't count.
 */
export async function changedFrozenTests(
  run: Run,
  ticket: TicketSnapshot,
  bead: Bead,
  candidate: string | null,
): Promise<string> {
  if (!ticketParts(ticket).settings.freezeApprovedTests || candidate === null) return '';
  const changed = await run.step('frozen-tests', z.array(z.string()), async (io) => {
    const { git, store } = io.ports;
    const planned = new Set(
      (await store.beads(ticket.id)).flatMap(({ targetFiles }) => targetFiles).filter(isTestFile),
    );
    const touched = (await git.compare(startOf(bead), candidate)).flatMap(({ path, oldPath }) =>
      oldPath === null ? [path] : [path, oldPath],
    );
    const frozen: string[] = [];
    for (const path of touched) {
      if (planned.has(path) && ticket.baseCommit !== null && (await git.blob(ticket.baseCommit, path)))
        frozen.push(path);
    }
    return frozen;
  });
  if (changed.length === 0) return '';
  return `These tests were approved with the plan, and only a person may change them: ${changed.join(', ')}. Undo your changes of them.`;
}
