import * as z from 'zod';
import { beadsDocument, beadsOutline } from '../../domain/documents/beads.ts';
import { RefinedBlueprint } from '../../domain/beads/bead.ts';
import { LeftOut } from '../../domain/loss/lossReport.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { refineSections, winnerFirst, winningDraft } from '../shared/council/refineContext.ts';
import { saveLedger } from '../shared/council/saveLedger.ts';
import { guardedParse, saveLeftOut } from '../shared/coverage/keepContent.ts';
import { blueprintChecker } from './blueprint.ts';

/**
 * REFINING_BEADS: the winner makes the blueprint from its plan and what the others have and it lacks
 * (docs/decisions/020-refining-the-winner.md).
 */
export const refineBeads: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, beadsDocument.kind);
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'beads_refine',
      prompt: 'beads-refine',
      member: winner,
      sections: async (io) => [...sections, ...(await refineSections(io, beadsDocument.kind))],
      state: async (io) => ({ drafts: await winnerFirst(io, beadsDocument.kind) }),
      parse: guardedParse(RefinedBlueprint, {
        domain: beadsDocument.kind,
        outline: beadsOutline,
        before: async (io) => winningDraft(io, beadsDocument.kind),
        documentOf: ({ beads }) => ({ beads }),
        problemIn: blueprintChecker,
      }),
      result: z.intersection(RefinedBlueprint, LeftOut),
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({
        type: 'artifact',
        artifact: 'beads_refined',
        content: yamlText({ beads: value.beads, changes: value.changes }),
        ...place,
      });
      io.save({
        type: 'artifact',
        artifact: 'beads_blueprint',
        content: yamlText({ beads: value.beads }),
        ...place,
      });
      await saveLeftOut(io, beadsDocument.kind, 'refine', value, place);
      await saveLedger(io, ticket, beadsDocument.kind, { beads: value.beads });
      return null;
    });
    return { exit: 'refined' };
  },
};
