import * as z from 'zod';
import { canonicalJson, isRecord } from '../../src/base/json.ts';
import type { Bead } from '../../src/domain/beads/bead.ts';
import { EditedBead } from '../../src/domain/beads/bead.ts';
import { graphErrors } from '../../src/domain/beads/beadPlan.ts';
import { Interview } from '../../src/domain/requirements/interview.ts';
import { Prd } from '../../src/domain/requirements/prd.ts';
import { SetupPlan, setupPlanProblem } from '../../src/domain/documents/setupPlan.ts';
import type { ShownDocument } from '../../src/protocol/pages/approval.ts';
import { ChangedAnswers, type Question, stillChanged } from './interview/answers.ts';

/**
 * A person's unsaved change of a document. `base`: the hash of what it was made from; `value`: the whole
 * document, of an interview the changed answers.
 */
export const Draft = z.object({ base: z.string(), value: z.unknown() });
export type Draft = z.infer<typeof Draft>;
export const Drafts = z.record(z.string(), Draft);
export type Drafts = z.infer<typeof Drafts>;

/** A reason why a document can't be saved as it is. `path` names the field. */
export interface Problem {
  readonly path: string;
  readonly kind: 'empty' | 'none' | 'tooLong' | 'other';
  readonly message: string;
}

/** The content that the page shows of a document: the draft if there is one that says something else. */
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

/** The beads of a plan. They may be half-written, but each has an id and its edges. */
export function planOf(value: unknown): readonly Bead[] {
  return Array.isArray(value) ? value.filter(isBead) : [];
}

/**
 * Returns the problems that keep a document from being saved, as far as the page knows; the engine has the
 * last word.
 */
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
