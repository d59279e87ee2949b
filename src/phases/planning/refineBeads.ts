import * as z from 'zod';
import { RefinedBlueprint } from '../../domain/bead.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import { winnerFirst } from '../council/councilDrafts.ts';
import { winnerOf } from '../council/winnerOf.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { yamlText } from '../yamlText.ts';
import { blueprintProblem } from './blueprint.ts';

/** REFINING_BEADS: the winner makes the blueprint from its plan and what the others have and it lacks (LoopTroop 7.2). */
export const refineBeads: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, 'beads');
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'beads_refine',
      prompt: 'beads-refine',
      member: winner,
      sections,
      state: async (io) => ({ drafts: await winnerFirst(io, 'beads') }),
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
