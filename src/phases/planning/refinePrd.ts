import * as z from 'zod';
import { Interview } from '../../domain/interview.ts';
import { RefinedPrd } from '../../domain/prd.ts';
import { timeoutMs } from '../../domain/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run.ts';
import { ask } from '../ask.ts';
import { validDrafts, winnerFirst } from '../council/councilDrafts.ts';
import { winnerOf } from '../council/winnerOf.ts';
import { storedDocument } from '../storedDocument.ts';
import { parseStructured } from '../structured/parseStructured.ts';
import { takeUserContext } from '../takeUserContext.ts';
import { yamlText } from '../yamlText.ts';
import { prdBody } from './normalPrd.ts';
import { savePrd } from './savePrd.ts';

/** REFINING_PRD: the winner makes the candidate from its draft and what the others have and it lacks (LoopTroop 6.3). */
export const refinePrd: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, 'prd');
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'prd_refine',
      prompt: 'prd-refine',
      member: winner,
      sections,
      state: async (io) => ({ drafts: await winnerFirst(io, 'prd'), fullAnswers: await answersWinnerFirst(io, winner) }),
      parse: parseStructured({ schema: RefinedPrd }),
      result: RefinedPrd,
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({ type: 'artifact', artifact: 'prd_refined', content: yamlText({ ...prdBody(value), changes: value.changes }), ...place });
      await savePrd(io, ticket, value, place);
      return null;
    });
    return { exit: 'refined' };
  },
};

async function answersWinnerFirst(io: RecordIo, winner: string): Promise<readonly string[]> {
  const members = (await validDrafts(io, 'prd')).map((draft) => draft.member);
  const ordered = [winner, ...members.filter((member) => member !== winner)];
  return Promise.all(ordered.map(async (member) => (await storedDocument(io, `full_answers:${member}`, Interview)).content));
}
