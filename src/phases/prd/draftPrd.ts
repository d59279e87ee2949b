import * as z from 'zod';
import { stringify } from 'yaml';
import {
  Interview,
  InterviewQuestion,
  interviewDocument,
  FilledAnswers,
} from '../../domain/requirements/interview.ts';
import { PrdDraft, prdBody, prdDocument } from '../../domain/requirements/prd.ts';
import { timeoutMs } from '../../domain/settings/settings.ts';
import type { HandlerDefinition, Run, RecordIo } from '../../engine/run/run.ts';
import { applyRewindEdit } from '../shared/gate/rewind.ts';
import { artifactChange, isoNow, storedDocument, yamlText } from '../shared/ticket/artifacts.ts';
import { ask } from '../shared/ask/ask.ts';
import { takeUserContext } from '../shared/ticket/ticketParts.ts';
import { regenerateNote } from '../shared/panel/drafts.ts';
import { runCouncil } from '../shared/panel/runCouncil.ts';
import { parseStructured } from '../shared/structured/parseStructured.ts';
import { refreshFiles } from '../shared/relevantFiles/refreshFiles.ts';
import type { Section } from '../../context/sections.ts';
import type { TicketSnapshot } from '../../domain/ticket/ticket.ts';
import type { OnProviderFailure } from '../shared/structured/askTypes.ts';

/**
 * DRAFTING_PRD: every member fills in the skipped answers, then drafts a PRD from its full answers
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
      const metrics = {
        epicCount: prd.epics.length,
        userStoryCount: stories.length,
        totalAcceptanceCriteriaCount: stories.flatMap((story) => story.acceptance_criteria).length,
      };
      return { content: yamlText(prd), metrics };
    });
    return { exit: 'ready' };
  },
};

type Question = Interview['questions'][number];
type Filled = z.infer<typeof FilledAnswers>;

/** Lets a member answer what the user skipped, as the artifact `full_answers:<member>`. */
async function fullAnswers(
  run: Run,
  ticket: TicketSnapshot,
  options: {
    readonly member: string;
    readonly skipped: readonly Question[];
    readonly sections: readonly Section[];
    readonly onProviderFailure: OnProviderFailure;
  },
): Promise<void> {
  const { member, skipped } = options;
  if (skipped.length === 0) {
    await run.record('full-answers', z.null(), async (io) => {
      await save(io, ticket, member, { questions: [] });
      return null;
    });
    return;
  }
  await ask(run, ticket, {
    key: 'full-answers',
    contextKey: 'full_answers_fill',
    prompt: 'full-answers',
    member,
    sections: [
      ...options.sections,
      { name: 'runtime_checklist', content: stringify({ questions: skipped.map(({ id }) => id) }) },
    ],
    parse: parseStructured({ schema: FilledAnswers, check: (filled) => problemOf(filled, skipped) }),
    result: FilledAnswers,
    activeMs: timeoutMs(run.limits.councilResponseTimeout),
    onProviderFailure: options.onProviderFailure,
    accept: (io, filled) => save(io, ticket, member, filled),
  });
}

function problemOf(filled: Filled, skipped: readonly Question[]): string | undefined {
  const missing = skipped
    .filter(({ id }) => filled.questions.filter((answer) => answer.id === id).length !== 1)
    .map(({ id }) => id);
  if (missing.length > 0) return `questions: each of ${missing.join(', ')} has to be answered exactly once.`;
  for (const question of skipped) {
    const answer = filled.questions.find(({ id }) => id === question.id)?.answer;
    const problem = answer && answerProblem(question, answer);
    if (problem !== undefined) return `questions.${question.id}: ${problem}`;
  }
  return undefined;
}

function answerProblem(
  { answer_type: type, options }: Question,
  { selected_option_ids: ids, free_text: text }: Filled['questions'][number]['answer'],
): string | undefined {
  if (type === 'free_text') return text.trim() === '' ? 'free_text is empty.' : undefined;
  const odd = ids.filter((id) => !options.some((option) => option.id === id));
  if (odd.length > 0) return `there is no option ${odd.join(', ')}.`;
  if (ids.length === 0) return 'no option is selected.';
  if (type !== 'multiple_choice' && ids.length > 1) return 'only one option may be selected.';
  return undefined;
}

async function save(io: RecordIo, ticket: TicketSnapshot, member: string, filled: Filled): Promise<void> {
  const { document } = await storedDocument(io, interviewDocument.kind, Interview);
  const at = isoNow(io);
  const questions = document.questions.map((question) => {
    if (!question.answer.skipped) return question;
    const answer = filled.questions.find(({ id }) => id === question.id)?.answer;
    const skipReason = question.answer.skip_reason;
    return {
      ...question,
      answer: {
        skipped: false,
        selected_option_ids: question.answer_type === 'free_text' ? [] : (answer?.selected_option_ids ?? []),
        free_text: answer?.free_text ?? '',
        answered_by: 'ai_skip' as const,
        answered_at: at,
        ...(skipReason === undefined ? {} : { skip_reason: skipReason }),
      },
    };
  });
  const approval = { approved_by: '', approved_at: '' };
  const full: Interview = { ...document, status: 'draft', questions, approval };
  io.save(artifactChange(ticket, `full_answers:${member}`, yamlText(full)));
}
