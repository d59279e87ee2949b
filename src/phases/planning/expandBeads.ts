import type { HandlerDefinition } from '../../engine/run.ts';
import { winnerOf } from '../council/winnerOf.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { expandPlan } from './expandPlan.ts';

/** EXPANDING_BEADS: the blueprint becomes the bead plan that is approved and coded (LoopTroop 7.4). */
export const expandBeads: HandlerDefinition<'expanded'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, 'beads');
    await expandPlan(run, ticket, { key: 'expand', winner, sections, place: () => Promise.resolve(ticket) });
    return { exit: 'expanded' };
  },
};
