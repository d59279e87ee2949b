import * as z from 'zod';
import { Interview } from '../../domain/requirements/interview.ts';
import { RefinedPrd, prdBody, prdDocument, prdOutline } from '../../domain/requirements/prd.ts';
import { LeftOut } from '../../domain/loss/lossReport.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, RecordIo } from '../../engine/run/run.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { validDrafts, winnerOf } from '../shared/council/drafts.ts';
import { refineSections, winnerFirst, winningDraft } from '../shared/council/refineContext.ts';
import { saveLedger } from '../shared/council/saveLedger.ts';
import { guardedParse, saveLeftOut } from '../shared/coverage/keepContent.ts';
import { savePrd } from './revisePrd.ts';

/**
 * REFINING_PRD: the winner makes the candidate from its draft and what the others have and it lacks
 * (docs/decisions/020-refining-the-winner.md).
 */
export const refinePrd: HandlerDefinition<'refined'> = {
  version: 1,
  run: async (run, ticket) => {
    const sections = await takeUserContext(run, ticket);
    const winner = await winnerOf(run, prdDocument.kind);
    const { value } = await ask(run, ticket, {
      key: 'refine',
      contextKey: 'prd_refine',
      prompt: 'prd-refine',
      member: winner,
      sections: async (io) => [...sections, ...(await refineSections(io, prdDocument.kind))],
      state: async (io) => ({
        drafts: await winnerFirst(io, prdDocument.kind),
        fullAnswers: await answersWinnerFirst(io, winner),
      }),
      parse: guardedParse(RefinedPrd, {
        domain: prdDocument.kind,
        outline: prdOutline,
        before: async (io) => winningDraft(io, prdDocument.kind),
        documentOf: prdBody,
      }),
      result: z.intersection(RefinedPrd, LeftOut),
      activeMs: timeoutMs(run.limits.councilResponseTimeout),
    });
    await run.record('record', z.null(), async (io) => {
      const place = { status: ticket.status, attempt: ticket.attempt };
      io.save({
        type: 'artifact',
        artifact: 'prd_refined',
        content: yamlText({ ...prdBody(value), changes: value.changes }),
        ...place,
      });
      await savePrd(io, ticket, value, place);
      await saveLeftOut(io, prdDocument.kind, 'refine', value, place);
      await saveLedger(io, ticket, prdDocument.kind, prdBody(value));
      return null;
    });
    return { exit: 'refined' };
  },
};

async function answersWinnerFirst(io: RecordIo, winner: string): Promise<readonly string[]> {
  const members = (await validDrafts(io, prdDocument.kind)).map((draft) => draft.member);
  const ordered = [winner, ...members.filter((member) => member !== winner)];
  return Promise.all(
    ordered.map(async (member) => (await storedDocument(io, `full_answers:${member}`, Interview)).content),
  );
}
