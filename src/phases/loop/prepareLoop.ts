import * as z from 'zod';
import { planHash } from '../../domain/beads/beadPlan.ts';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { loopBead, LoopRequest, needsProjectChecks } from '../../domain/ticket/loop.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { approvedChecks } from '../shared/approvedSetup.ts';
import { isoNow, readJson } from '../shared/ticket/artifacts.ts';
import { saveApprovalReceipt } from '../shared/ticket/receipts.ts';
import { saveBeads } from '../shared/ticket/saveBeads.ts';

const reason = 'The prompt, its tests and its setup are those that the loop was started with.';

/**
 * PREPARING_LOOP: makes the one bead of a loop from its prompt, without a model
 * (docs/decisions/142-loops.md). The start was the approval: the bead is the person's own words and commands.
 * Throws LOOP_UNPROVED if no command could prove it and nobody said why.
 */
export const prepareLoop: HandlerDefinition<'ready'> = {
  version: 1,
  run: async (run, ticket) => {
    await run.record('bead', z.null(), async (io) => {
      const { store } = io.ports;
      const request = readJson(LoopRequest, (await store.artifact(ticket.id, 'loop_request'))?.content);
      if (!request)
        throw new BeadsmithError('UNEXPECTED', { reason: 'what the loop was started with is missing' });
      const needsChecks = needsProjectChecks(request);
      const tests = needsChecks ? [...(await approvedChecks(store, ticket.id))] : request.tests;
      if (needsChecks && tests.length === 0) throw new BeadsmithError('LOOP_UNPROVED');
      const beads = [loopBead(ticket, { tests, noTests: request.noTests }, isoNow(io))];
      saveBeads(io, beads, { status: ticket.status, attempt: ticket.attempt });
      const hash = planHash(beads);
      const hashes = { content_sha256: hash, stored_content_sha256: hash };
      saveApprovalReceipt(io, ticket, { artifact: beadsDocument.kind, ...hashes, with_gaps: [], reason });
      return null;
    });
    return { exit: 'ready' };
  },
};
