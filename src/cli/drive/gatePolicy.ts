import { invalidInput } from '../../domain/core/errors.ts';
import * as z from 'zod';
import { engineQuestion } from '../../domain/ticket/agentRequest.ts';
import { AnswersFile, recordedAnswer } from '../../domain/ticket/answersFile.ts';
import type { AnswerInput } from '../../domain/requirements/answers.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import { type Client, documentsAt, type TicketDetail } from '../../protocol/api.ts';
import { openQuestions } from '../../protocol/openQuestions.ts';
import { readDocument } from '../../protocol/readDocument.ts';
import { type Gate, gateNames, gateOf } from '../base/gates.ts';
import type { CommandContext } from '../base/command.ts';
import { UsageError } from '../base/args.ts';
import type { Args } from '../base/args.ts';
import { readText } from '../options/options.ts';

/** Throws UsageError. */
export function parseGates(text: string): ReadonlySet<Gate> {
  if (text === 'all') return new Set(gateNames);
  if (text === 'none' || text === '') return new Set();
  return new Set(
    text.split(',').map((word) => {
      const gate = gateNames.find((name) => name === word.trim());
      if (!gate)
        throw new UsageError(
          `--approve knows no gate "${word.trim()}". Gates: ${gateNames.join(', ')}, or all, or none.`,
        );
      return gate;
    }),
  );
}

export function coversAll(gates: ReadonlySet<string>): boolean {
  return gates.size === gateNames.length;
}

/** Answers at gates without a person. */
export interface GatePolicy {
  readonly approve: ReadonlySet<Gate>;
  readonly answers: AnswersFile | undefined;
  readonly skipInterview: boolean;
  readonly end: 'close' | 'merge';
}

export const askAPerson: GatePolicy = {
  approve: new Set(),
  answers: undefined,
  skipInterview: false,
  end: 'close',
};

/** `says`: for people. */
type GateAnswer = {
  [K in GateAction]: { readonly kind: K; readonly body: InboxBody<K>; readonly says: string };
}[GateAction];
type GateAction = 'answer' | 'skip' | 'approve' | 'merge' | 'close' | 'question_reply';

const reason = 'Decided beforehand on the command line.';

/**
 * Undefined when a person must answer. Approvals carry the hash (docs/decisions/013-approvals-by-hash.md). If
 * all gates are covered, secrets are left out of prompts. Throws INVALID_INPUT.
 */
export async function gateAnswer(
  client: Client,
  detail: TicketDetail,
  policy: GatePolicy,
): Promise<GateAnswer | undefined> {
  const request = detail.ticket.hold?.request;
  if (request && engineQuestion(request, 'prompt_secrets') && coversAll(policy.approve))
    return {
      kind: 'question_reply',
      body: { request: request.id, answers: [['leave_out']] },
      says: 'what looks like a secret is left out of prompts',
    };
  const gate = gateOf(detail.ticket.status);
  if (!gate || detail.ticket.hold) return undefined;
  if (gate === 'interview-answers') return interviewAnswer(client, detail.ticket.id, policy);
  if (!policy.approve.has(gate)) return undefined;
  // Nobody tried the checklist out, so it is skipped, not passed.
  if (gate === 'qa') return { kind: 'skip', body: { reason }, says: 'manual QA skipped' };
  if (gate === 'review')
    return policy.end === 'merge'
      ? { kind: 'merge', body: {}, says: 'merged' }
      : { kind: 'close', body: { reason }, says: 'closed without merging; the branch stays' };
  if (!detail.gate) return undefined;
  return {
    kind: 'approve',
    body: { sha256: detail.gate.sha256, reason },
    says: `${documentsAt(detail.gate)
      .map(({ artifact }) => artifact)
      .join(' and ')} approved`,
  };
}

async function interviewAnswer(
  client: Client,
  ticket: string,
  policy: GatePolicy,
): Promise<GateAnswer | undefined> {
  const covered = policy.approve.has('interview-answers');
  if (policy.skipInterview) return { kind: 'skip', body: { reason }, says: 'interview skipped' };
  const batch = await openQuestions(client, ticket);
  if (!batch)
    return covered && !policy.answers
      ? { kind: 'skip', body: { reason }, says: 'interview skipped' }
      : undefined;
  const answers: Record<string, AnswerInput> = {};
  for (const question of batch.questions) {
    const recorded = policy.answers && recordedAnswer(policy.answers, question);
    if (recorded) answers[question.id] = recorded;
    else if (covered)
      answers[question.id] = { selected_option_ids: [], free_text: '', skipped: true, skip_reason: reason };
  }
  const count = Object.keys(answers).length;
  if (count < batch.questions.length) return undefined;
  const skipped = Object.values(answers).filter((answer) => answer.skipped).length;
  return {
    kind: 'answer',
    body: { batch: batch.number, answers },
    says: `batch ${String(batch.number)}: ${String(count - skipped)} answered, ${String(skipped)} skipped`,
  };
}

/** Throws UsageError, or INVALID_INPUT for the file of answers. */
export async function policyOf(context: CommandContext, args: Args): Promise<GatePolicy> {
  const file = args.text('answers');
  if (file !== undefined && args.flag('skip-interview'))
    throw new UsageError('Use either --answers or --skip-interview, not both.');
  return {
    approve: parseGates(args.text('approve') ?? 'none'),
    answers: file === undefined ? undefined : await parseAnswers(file, await readText(context, file)),
    skipInterview: args.flag('skip-interview'),
    end: args.oneOf('end', ['close', 'merge'], 'close'),
  };
}

async function parseAnswers(file: string, text: string): Promise<AnswersFile> {
  const result = AnswersFile.safeParse(await readDocument(text));
  if (result.success) return result.data;
  throw invalidInput(file, z.prettifyError(result.error));
}
