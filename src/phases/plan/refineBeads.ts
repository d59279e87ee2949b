import * as z from 'zod';
import { beadsDocument } from '../../domain/documents/beads.ts';
import { RefinedBlueprint } from '../../domain/beads/bead.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { yamlText } from '../shared/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ask/ticketParts.ts';
import { winnerOf } from '../shared/council/drafts.ts';
import { refineSections, winnerFirst } from '../shared/council/refineContext.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { blueprintProblem } from './blueprint.ts';

/** REFINING_BEADS: the winner makes the blueprint from its plan and what the others have and it lacks (docs/decisions/020-refining-the-winner.md). */
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
      parse: parseStructured({ schema: RefinedBlueprint, check: blueprintProblem }),
      result: RefinedBlueprint,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({ type: 'artifact', artifact: 'beads_refined', content: yamlText(value), ...place });
      io.save({ type: 'artifact', artifact: 'beads_blueprint', content: yamlText({ beads: value.beads }), ...place });
      return Promise.resolve(null);
    });
    return { exit: 'refined' };
  },
};
