import { type AnswersFile, recordedAnswer } from '../domain/answersFile.ts';
import type { InboxBody } from '../domain/inbox.ts';
import type { AnswerInput } from '../domain/documents/interview.ts';
import type { Client, TicketDetail } from '../protocol/api.ts';
import { openQuestions } from '../protocol/openQuestions.ts';
import { type Gate, gateOf } from './gates.ts';

/** What may be answered at gates without asking a person. */
export interface GatePolicy {
  readonly approve: ReadonlySet<Gate>;
  readonly answers: AnswersFile | undefined;
  readonly skipInterview: boolean;
  /** How a covered review ends. */
  readonly end: 'close' | 'merge';
}

export const askAPerson: GatePolicy = { approve: new Set(), answers: undefined, skipInterview: false, end: 'close' };

/** An answer to a gate, with a few words on it for people. */
export type GateAnswer = {
  [K in 'answer' | 'skip' | 'approve' | 'merge' | 'close']: { readonly kind: K; readonly body: InboxBody<K>; readonly says: string };
}['answer' | 'skip' | 'approve' | 'merge' | 'close'];

const reason = 'Decided beforehand on the command line.';

/**
 * The answer the policy gives where the ticket stands; undefined when a person must. Approvals carry the current hash
 * (docs/decisions/013-approvals-by-hash.md). Throws INVALID_INPUT when the answers file doesn't fit its question.
 */
export async function gateAnswer(client: Client, detail: TicketDetail, policy: GatePolicy): Promise<GateAnswer | undefined> {
  const gate = gateOf(detail.ticket.status);
  if (!gate || detail.ticket.hold) return undefined;
  if (gate === 'interview-answers') return interviewAnswer(client, detail.ticket.id, policy);
  if (!policy.approve.has(gate)) return undefined;
  // Nobody tried the checklist out, so it isn't said to have passed: it is skipped, with a receipt.
  if (gate === 'qa') return { kind: 'skip', body: { reason }, says: 'manual QA skipped' };
  if (gate === 'review')
    return policy.end === 'merge'
      ? { kind: 'merge', body: {}, says: 'merged' }
      : { kind: 'close', body: { reason }, says: 'closed without merging; the branch stays' };
  if (!detail.gate) return undefined;
  return { kind: 'approve', body: { sha256: detail.gate.sha256, reason }, says: `${detail.gate.artifact} approved` };
}

async function interviewAnswer(client: Client, ticket: string, policy: GatePolicy): Promise<GateAnswer | undefined> {
  const covered = policy.approve.has('interview-answers');
  if (policy.skipInterview) return { kind: 'skip', body: { reason }, says: 'interview skipped' };
  const batch = await openQuestions(client, ticket);
  if (!batch) return covered && !policy.answers ? { kind: 'skip', body: { reason }, says: 'interview skipped' } : undefined;
  const answers: Record<string, AnswerInput> = {};
  for (const question of batch.questions) {
    const recorded = policy.answers && recordedAnswer(policy.answers, question);
    if (recorded) answers[question.id] = recorded;
    else if (covered) answers[question.id] = { selected_option_ids: [], free_text: '', skipped: true, skip_reason: reason };
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
