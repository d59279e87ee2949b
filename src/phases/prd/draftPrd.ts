import * as z from 'zod';
import { Interview, InterviewQuestion, interviewDocument } from '../../domain/requirements/interview.ts';
import { PrdDraft, prdBody, prdDocument } from '../../domain/requirements/prd.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition } from '../../engine/run/run.ts';
import { applyRewindEdit } from '../shared/gate/rewind.ts';
import { storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { regenerateNote } from '../shared/council/drafts.ts';
import { runCouncil } from '../shared/council/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { refreshFiles } from '../shared/relevantFiles/refreshFiles.ts';
import { fullAnswers } from './fullAnswers.ts';

/**
 * DRAFTING_PRD: every member fills in the skipped answers, then drafts a PRD from its own full answers
 * (docs/decisions/023-full-answers-and-prd.md).
 */
export const draftPrd: HandlerDefinition<'ready'> = {
  version: 2,
  run: async (run, ticket) => {
    await applyRewindEdit(run, ticket);
    await refreshFiles(run, ticket);
    const sections = [...(await takeUserContext(run, ticket)), ...regenerateNote(ticket)];
    const skipped = await run.record('skipped', z.array(InterviewQuestion), async (io) => {
      const { document } = await storedDocument(io, interviewDocument.kind, Interview);
      return document.questions.filter((question) => question.answer.skipped);
    });
    await runCouncil(run, ticket, prdDocument.kind, async (branch, member, onProviderFailure, lens) => {
      const userContext = sections.filter((section) => section.name === 'user_context');
      await fullAnswers(branch, ticket, { member, skipped, sections: userContext, onProviderFailure });
      const { value } = await ask(branch, ticket, {
        key: 'draft',
        contextKey: 'prd_draft',
        prompt: 'prd-draft',
        member,
        sections: [...sections, ...lens],
        state: async (io) => ({
          fullAnswers: [(await storedDocument(io, `full_answers:${member}`, Interview)).content],
        }),
        parse: parseStructured({ schema: PrdDraft }),
        result: PrdDraft,
        activeMs: timeoutMs(run.limits.councilResponseTimeout),
        onProviderFailure,
      });
      const prd = prdBody(value);
      const stories = prd.epics.flatMap((epic) => epic.user_stories);
      const criteria = stories.reduce((sum, story) => sum + story.acceptance_criteria.length, 0);
      return {
        content: yamlText(prd),
        metrics: {
          epicCount: prd.epics.length,
          userStoryCount: stories.length,
          totalAcceptanceCriteriaCount: criteria,
        },
      };
    });
    return { exit: 'ready' };
  },
};
