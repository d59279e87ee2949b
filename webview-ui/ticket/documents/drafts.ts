import * as z from 'zod';
import { canonicalJson, isRecord } from '../../../src/base/json.ts';
import { type Bead, EditedBead } from '../../../src/domain/beads/bead.ts';
import { graphErrors } from '../../../src/domain/beads/beadPlan.ts';
import { SetupPlan, setupPlanProblem } from '../../../src/domain/documents/setupPlan.ts';
import { AnswerInput } from '../../../src/domain/requirements/answers.ts';
import { Interview } from '../../../src/domain/requirements/interview.ts';
import { Prd } from '../../../src/domain/requirements/prd.ts';
import type { ShownDocument } from '../../../src/protocol/pages/approval.ts';

/** `base`: the hash of what was changed; `value`: the document, or answers. */
export const Draft = z.object({ base: z.string(), value: z.unknown() });
export type Draft = z.infer<typeof Draft>;
export const Drafts = z.record(z.string(), Draft);
export type Drafts = z.infer<typeof Drafts>;

export interface Problem {
  readonly path: string;
  readonly kind: 'empty' | 'none' | 'tooLong' | 'other';
  readonly message: string;
}

/** The draft if there is one that says something else than the document. */
export interface Shown {
  readonly value: unknown;
  readonly isDirty: boolean;
  /** The document changed since the draft was started. */
  readonly isConflict: boolean;
}

type Stored = Pick<ShownDocument, 'artifact' | 'sha256' | 'value'>;

export function shownOf(document: Stored, draft: Draft | undefined): Shown {
  const stored = document.artifact === 'interview' ? {} : document.value;
  if (!draft) return { value: stored, isDirty: false, isConflict: false };
  const value =
    document.artifact === 'interview'
      ? stillChanged(changedAnswers(draft.value), questionsOf(document.value))
      : draft.value;
  const isDirty = canonicalJson(value) !== canonicalJson(stored);
  return { value: isDirty ? value : stored, isDirty, isConflict: isDirty && draft.base !== document.sha256 };
}

export function changedAnswers(value: unknown): ChangedAnswers {
  return ChangedAnswers.safeParse(value).data ?? {};
}

export function questionsOf(interview: unknown): readonly Question[] {
  return Interview.safeParse(interview).data?.questions ?? [];
}

/** Beads may be half-written, but each has an id and its edges. */
export function planOf(value: unknown): readonly Bead[] {
  return Array.isArray(value) ? value.filter(isBead) : [];
}

/** Reasons why a document can't be saved, as far as the page knows. */
export function problemsOf(artifact: ShownDocument['artifact'], value: unknown): readonly Problem[] {
  switch (artifact) {
    case 'interview':
      return [];
    case 'prd':
      return issuesOf(Prd, value);
    case 'execution_setup_plan': {
      const issues = issuesOf(SetupPlan, value);
      const odd = issues.length === 0 ? setupPlanProblem(SetupPlan.parse(value)) : undefined;
      return odd === undefined ? issues : [{ path: 'readiness.status', kind: 'other', message: odd }];
    }
    case 'beads': {
      const issues = issuesOf(z.array(EditedBead).min(1), value);
      if (issues.length > 0) return issues;
      return graphErrors(planOf(value)).map((message) => ({ path: '', kind: 'other', message }));
    }
    // A kind without a form here is edited as text, where the language server says what is wrong.
    default:
      return [];
  }
}

function issuesOf(schema: z.ZodType, value: unknown): readonly Problem[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map((issue) => ({
    path: issue.path.map(String).join('.'),
    kind: kindOf(issue),
    message: issue.message,
  }));
}

function kindOf(issue: z.core.$ZodIssue): Problem['kind'] {
  if (issue.code === 'too_big') return 'tooLong';
  if (issue.code !== 'too_small') return 'other';
  return issue.origin === 'array' ? 'none' : 'empty';
}

function isBead(value: unknown): value is Bead {
  if (!isRecord(value) || typeof value['id'] !== 'string' || !isRecord(value['dependencies'])) return false;
  return Array.isArray(value['dependencies']['blocked_by']) && Array.isArray(value['dependencies']['blocks']);
}

export type Question = Interview['questions'][number];

/** Unsaved, by question. */
export const ChangedAnswers = z.record(z.string(), AnswerInput);
export type ChangedAnswers = z.infer<typeof ChangedAnswers>;

/** A stored answer as a person would give it. */
export function inputOf({ answer }: Pick<Question, 'answer'>): AnswerInput {
  const { skipped, selected_option_ids, free_text, skip_reason } = answer;
  return { skipped, selected_option_ids, free_text, ...(skip_reason === undefined ? {} : { skip_reason }) };
}

/** An answer that says what is stored is no change. */
export function withAnswer(changed: ChangedAnswers, question: Question, input: AnswerInput): ChangedAnswers {
  const { [question.id]: _before, ...others } = changed;
  return isSame(input, inputOf(question)) ? others : { ...others, [question.id]: input };
}

/** Without questions that are gone, and answers that are stored in the meantime. */
export function stillChanged(changed: ChangedAnswers, questions: readonly Question[]): ChangedAnswers {
  let still: ChangedAnswers = {};
  for (const question of questions) {
    const input = changed[question.id];
    if (input) still = withAnswer(still, question, input);
  }
  return still;
}

/** The option replaces the other where only one can be chosen. */
export function withOption(
  input: AnswerInput,
  question: Question,
  option: string,
  chosen: boolean,
): AnswerInput {
  const others = input.selected_option_ids.filter((id) => id !== option);
  const kept = question.answer_type === 'multiple_choice' ? others : [];
  return { ...input, skipped: false, selected_option_ids: chosen ? [...kept, option] : others };
}

export function withSkip(input: AnswerInput, skipped: boolean): AnswerInput {
  const { skip_reason, ...rest } = input;
  return skipped ? { ...rest, skipped, skip_reason: skip_reason ?? '' } : { ...rest, skipped };
}

function isSame(one: AnswerInput, other: AnswerInput): boolean {
  if (one.skipped || other.skipped)
    return one.skipped === other.skipped && (one.skip_reason ?? '') === (other.skip_reason ?? '');
  const ids = (input: AnswerInput): string => input.selected_option_ids.toSorted().join('\n');
  return one.free_text === other.free_text && ids(one) === ids(other);
}
