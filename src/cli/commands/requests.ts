import type { AgentQuestion } from '../../domain/ticket/agentRequest.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { TicketDetail } from '../../protocol/api.ts';
import { actionCommand } from '../drive/actionCommand.ts';
import { UsageError } from '../base/args.ts';

/** `reply`: answers what an agent asks while it works. */
export const reply = actionCommand({
  name: 'reply',
  kind: 'question_reply',
  words: 'TEXT …',
  about: 'answer an agent: one TEXT for each question, either an option or your own words',
  takes: [0, 50],
  options: { decide: { about: 'let the agent decide' } },
  body: ({ args, words, detail }) => {
    const { id, content } = requestOf(detail, 'question');
    if (args.flag('decide')) return { request: id, answers: null };
    const questions = content.kind === 'question' ? content.questions : [];
    if (words.length !== questions.length)
      throw new UsageError(
        `${detail.ticket.id} waits for ${String(questions.length)} answers; give one TEXT each, or --decide.`,
      );
    return {
      request: id,
      answers: questions.map((question, index) => answerTo(question, words[index] ?? '')),
    };
  },
});

/** `allow`, `deny`: settle what an agent asks a permission for, this once. */
export const allow = actionCommand({
  name: 'allow',
  kind: 'permission_reply',
  about: 'allow the requested permission once',
  body: ({ detail }) => ({ request: requestOf(detail, 'permission').id, allow: true }),
});

export const deny = actionCommand({
  name: 'deny',
  kind: 'permission_reply',
  about: 'deny the requested permission; the agent continues without it',
  body: ({ detail }) => ({ request: requestOf(detail, 'permission').id, allow: false }),
});

function requestOf(
  { requests }: TicketDetail,
  kind: 'question' | 'permission',
): TicketDetail['requests'][number] {
  const request = requests.find(({ content }) => content.kind === kind);
  if (!request) throw new BeadsmithError('REQUEST_GONE');
  return request;
}

/**
 * Returns the answer to a question as a list. Where several options may be chosen, they are written with `|`
 * between them.
 */
function answerTo({ multiple }: AgentQuestion, text: string): string[] {
  return multiple ? text.split('|').flatMap((part) => (part.trim() === '' ? [] : [part.trim()])) : [text];
}
