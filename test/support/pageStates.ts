import { Bead } from '../../src/domain/beads/bead.ts';
import { BatchQuestion } from '../../src/domain/documents/interview.ts';
import type { ApprovalState, ShownDocument } from '../../src/protocol/pages/approval.ts';
import type { InterviewState } from '../../src/protocol/pages/interview.ts';
import { storedInterview, storedPrd, storedSetup } from '../unit/views/pages/approvalDocuments.ts';

/** What pages of a ticket show, in which no word has a vowel: whatever has one is the page's own. */

const ticket = { id: 'TST-1', title: 'XXX' };
const sha256 = 'c'.repeat(64);

export function interviewOfX(): InterviewState {
  const question = (id: string, more: object = {}) => ({ ...BatchQuestion.parse({ id, question: 'XXX', ...more }), batch: 1 });
  const answer = { skipped: true, selected_option_ids: [], free_text: '', answered_by: 'user' as const, answered_at: '' };
  return {
    ...{ ticket, phase: 'asking', problem: '', approvable: false, expected: 3 },
    batch: { number: 1, commentary: 'XXX', openIds: ['Q1', 'Q2'] },
    questions: [
      {
        ...question('Q1', { priority: 'critical', rationale: 'XXX', answer_type: 'yes_no', options: [{ id: 'yes', label: 'Yes' }] }),
        answer: null,
      },
      { ...question('Q2', { priority: 'low', answer_type: 'multiple_choice', options: [{ id: 'x', label: 'XXX' }] }), answer: null },
      { ...question('Q3'), answer },
    ],
  };
}

/** One document, at its gate. */
export function approvalOfX(artifact: ShownDocument['artifact']): ApprovalState {
  const values = { interview: storedInterview(), prd: storedPrd(), execution_setup_plan: storedSetup(), beads: beadsOfX() };
  const council = {
    ...{ winner: 'x/x', tie: true, votes: [{ voter: 'x/x', member: 'x/x', sum: 1, reason: 'XXX' }] },
    members: [{ name: 'x/x', outcome: 'timed_out', error: 'XXX', total: 1 }],
    changes: [{ type: 'modified' as const, item: 'XXX', before: 'XXX', after: 'XXX', inspiredBy: 'x/x' }],
  };
  const document: ShownDocument = {
    ...{ artifact, version: 2, sha256, value: withoutVowels(values[artifact]), problem: '', edit: 'rewind', gaps: ['XXX'], council },
    ...{ earlier: [{ version: 1, sha256, at: Date.now() }], fullAnswers: artifact === 'prd' ? withoutVowels(storedInterview()) : null },
  };
  return {
    ticket: { ...ticket, label: 'XXX', held: true },
    ...{ gate: artifact, working: true, can: { approve: true, fixGaps: true, regenerate: true }, documents: [document] },
  };
}

function beadsOfX(): readonly Bead[] {
  const bead = (id: string, status: Bead['status'], blocked_by: readonly string[], blocks: readonly string[]): Bead =>
    Bead.parse({
      ...{ id, title: 'XXX', prdRefs: ['X'], description: 'XXX', contextGuidance: { patterns: ['X'], anti_patterns: ['X'] } },
      ...{ acceptanceCriteria: ['XXX'], tests: ['XXX'], testCommands: ['xxx'], priority: 1, status, issueType: 'task', externalRef: '' },
      ...{ labels: ['x'], notes: '', iteration: 1, dependencies: { blocked_by, blocks }, targetFiles: ['x'], beadStartCommit: null },
      ...{ createdAt: '', updatedAt: '', completedAt: '', startedAt: '' },
    });
  return [bead('x-1', 'done', [], ['x-2']), bead('x-2', 'in_progress', ['x-1'], [])];
}

/** A document with the same shape: words that the schemas know stay. */
function withoutVowels(value: unknown, key = ''): unknown {
  const known = ['status', 'artifact', 'phase', 'source', 'answer_type', 'answered_by', 'canonicalization', 'issueType'];
  if (Array.isArray(value)) return value.map((item) => withoutVowels(item, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutVowels(part, name)]));
  return typeof value === 'string' && !known.includes(key) ? value.replaceAll(/[aeiouy]/gi, 'x') : value;
}
