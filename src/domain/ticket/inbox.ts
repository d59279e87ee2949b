import * as z from 'zod';
import { MemberText } from '../council/council.ts';
import { AnswerInput } from '../requirements/answers.ts';
import { ContextScope, longestContext } from '../prompts/contextEntries.ts';
import { recommendations } from '../beads/analysis.ts';
import { ungatedKinds } from '../documents/documents.ts';
import { approvedKinds } from '../documents/workDocuments.ts';
import { QaResults } from '../documents/qaChecklist.ts';
import { ErrorRecord } from '../core/errors.ts';
import { BeadId, Sha256, RelativePath, TicketId } from '../core/ids.ts';
import { LimitsChange } from '../settings/limits.ts';
import { FindingVerdict } from '../findings/decision.ts';
import { LoopRequest } from './loop.ts';
import { PartRule } from '../prompts/promptChoices.ts';
import { AnsweredThread, EditSurface } from '../workflow/receipts.ts';
import { Limits, Settings } from '../settings/settings.ts';
import type { ActionName } from '../workflow/actions.ts';
import type { FormField } from '../workflow/formFields.ts';
import { type FormAction, formActions, type FormFields, formOf } from '../workflow/forms.ts';

const Reason = z.string().max(20_000).default('');
const Text = z.string().trim().min(1).max(20_000);
/** Long texts are pasted here: the error says what to do. */
const ContextText = z
  .string()
  .trim()
  .min(1, 'Context needs a text.')
  .max(
    longestContext,
    'Context has 20,000 characters at most. Put longer material into a file of the repository, and name the file here.',
  );

const NoModel = z.union([z.literal(''), MemberText]);

const EntryId = z.string().min(1).max(200);

/** The received handoff: of the last completed ticket, or this one. */
const HandoffChoice = z.union([z.literal('latest'), TicketId]);

type FieldSchema<F> = F extends { readonly kind: 'text' }
  ? z.ZodDefault<z.ZodString>
  : F extends { readonly kind: 'choice'; readonly choices: infer Choices }
    ? z.ZodDefault<z.ZodType<(keyof Choices & string) | ''>>
    : F extends { readonly kind: 'model' }
      ? z.ZodOptional<F extends { readonly many: true } ? z.ZodArray<typeof MemberText> : typeof NoModel>
      : F extends { readonly no: object }
        ? z.ZodOptional<z.ZodBoolean>
        : z.ZodDefault<z.ZodBoolean>;
type FormBody<A extends FormAction> = z.ZodObject<{
  [N in keyof FormFields<A>]: FieldSchema<FormFields<A>[N]>;
}>;

const formBodies = Object.fromEntries(
  formActions.map((action) => {
    const fields = Object.entries(formOf(action).fields).map(([name, field]) => [name, fieldSchema(field)]);
    return [action, z.object(Object.fromEntries(fields) as Record<string, z.ZodType>)];
  }),
) as { readonly [A in FormAction]: FormBody<A> };

function fieldSchema(field: FormField): z.ZodType {
  if (field.kind === 'model') return (field.many ? z.array(MemberText).max(9) : NoModel).optional();
  if (field.kind === 'flag') return field.no ? z.boolean().optional() : z.boolean().default(false);
  if (field.kind === 'choice') return z.enum(['', ...Object.keys(field.choices)]).default('');
  const text = z.string();
  return field.needed === 'always' ? text.trim().min(1).max(field.most) : text.max(field.most).default('');
}

/** Bodies of inbox entries by kind, which is the wanted action. */
export const inboxBodies = {
  ...formBodies,
  /** `loop`: only for depth `loop`. */
  start: z.object({
    settings: Settings,
    limits: Limits,
    baseBranch: z.string().max(250).optional(),
    loop: LoopRequest.optional(),
    handoff: HandoffChoice.optional(),
  }),
  answer: z.object({
    batch: z.number().int().positive().optional(),
    answers: z.record(z.string(), AnswerInput),
  }),
  /** Without ids: all open questions, or the whole checklist. */
  skip: z.object({ ids: z.array(z.string()).optional(), reason: Reason }),
  /** Of what the person saw (docs/decisions/013-approvals-by-hash.md). */
  approve: formBodies.approve.extend({ sha256: Sha256 }),
  /** `baseSha256`: of the basis, if any. In DRAFT, `content`: JSON, a `DraftEdit`. */
  edit: z.object({
    artifact: z.enum(['ticket', ...approvedKinds]),
    baseSha256: Sha256.nullable(),
    content: z.string().max(10_000_000),
    surface: EditSurface.default('raw'),
  }),
  qa: QaResults,
  /** `baseBranch`: a new base; `keep`: the starting commit stays. */
  update_base: z.object({
    baseBranch: z.string().min(1).max(250).optional(),
    keep: z.boolean().default(false),
  }),
  /**
   * A reviewer's changes: notes to unfinished beads, else fix beads. `rejects`: the diff's hash. `answers`:
   * the thread on the forge that gets a reply once it is fixed.
   */
  changes: z.object({
    items: z
      .array(
        z.object({
          text: Text,
          bead: BeadId.optional(),
          file: z.string().max(1_000).optional(),
          line: z.number().int().positive().optional(),
          rejects: Sha256.optional(),
          answers: AnsweredThread.optional(),
        }),
      )
      .min(1)
      .max(50),
  }),
  /** For exactly this diff (docs/decisions/013-approvals-by-hash.md). */
  accept_bead: z.object({ bead: BeadId, sha256: Sha256, reason: Reason }),
  suggest_edit: z.object({
    file: RelativePath,
    baseSha256: Sha256,
    content: z.string().max(1_000_000),
    bead: BeadId.optional(),
    reason: Reason,
    answers: AnsweredThread.optional(),
  }),
  /** `sha256`: of what the person saw (`DecidedFinding`), if anything. */
  finding: z
    .object({
      finding: z.string().min(1).max(200),
      verdict: FindingVerdict,
      reason: z.string().trim().max(4_000).default(''),
      sha256: Sha256.optional(),
    })
    .refine(({ verdict, reason }) => verdict !== 'dismiss' || reason !== '', {
      message: 'A dismissal needs a reason.',
      path: ['reason'],
    }),
  /** `interrupt`: coding starts again with the text (docs/decisions/141-context-inbox.md). */
  context: z.object({
    text: ContextText,
    scope: ContextScope.default('once'),
    interrupt: z.boolean().optional(),
  }),
  /** Before agents get it. `entry`: the entry that brought it. */
  withdraw_context: z.object({ entry: EntryId }),
  edit_context: z.object({ entry: EntryId, text: ContextText }),
  /** Of the ticket or a bead; `none` removes it. */
  prompt_rule: z.object({
    part: z.string().min(1).max(100),
    rule: z.enum([...PartRule.options, 'none']),
    bead: BeadId.nullable().default(null),
  }),
  preview_prompt: z.object({}),
  /** Texts per question; null leaves it to the agent. */
  question_reply: z.object({
    request: z.string(),
    answers: z
      .array(z.array(z.string().max(20_000)).max(50))
      .max(50)
      .nullable(),
  }),
  permission_reply: z.object({ request: z.string(), allow: z.boolean() }),
  /** `at`: the end of a wait for a provider, in milliseconds since 1970. */
  resume: z.object({ at: z.number().optional() }),
  /** An empty handoff is removed. `baseSha256`: of its basis. */
  edit_handoff: z.object({ baseSha256: Sha256, content: z.string().max(100_000) }),
  edit_document: z.object({
    artifact: z.enum(ungatedKinds),
    baseSha256: Sha256,
    content: z.string().max(100_000),
    reason: Reason,
  }),
  /** `baseSha256`: of the changed limits (docs/decisions/013-approvals-by-hash.md). */
  limits: z.object({ baseSha256: Sha256, limits: LimitsChange, reason: Reason }),
  /** `sha256`: of the approved plan change (docs/decisions/138-failure-analysis.md). */
  follow_analysis: z.discriminatedUnion('choice', [
    z.object({ bead: BeadId, choice: z.enum(recommendations), reason: Reason }),
    z.object({ bead: BeadId, choice: z.literal('approve'), sha256: Sha256, reason: Reason }),
  ]),
} as const satisfies Record<ActionName, z.ZodType>;

/** A reviewer's wish. */
export type ChangeItem = z.infer<typeof inboxBodies.changes>['items'][number];

/** An entry's kind: its wanted action. */
export type InboxKind = keyof typeof inboxBodies;

/** A validated body with defaults. */
export type InboxBody<K extends InboxKind> = z.infer<(typeof inboxBodies)[K]>;

/** The reason why an entry was refused. `error`: with what it was made of. */
export const InboxOutcome = z.object({
  code: z.string(),
  message: z.string(),
  error: ErrorRecord.optional(),
});
export type InboxOutcome = Readonly<z.infer<typeof InboxOutcome>>;

/** A stored entry. `outcome`: after it was consumed or refused. */
export interface InboxEntry<K extends InboxKind = InboxKind> {
  readonly id: string;
  readonly ticket: string;
  readonly kind: K;
  readonly body: InboxBody<K>;
  readonly postedAt: number;
  readonly state: 'pending' | 'consumed' | 'refused';
  readonly outcome: InboxOutcome | null;
  /** The proof that a person decided (docs/decisions/110-decisions-are-sealed.md). */
  readonly seal?: string;
}
