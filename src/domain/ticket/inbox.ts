import * as z from 'zod';
import { AnswerInput } from '../requirements/answers.ts';
import { ContextScope, longestContext } from '../prompts/contextEntries.ts';
import { recommendations } from '../beads/analysis.ts';
import { approvedKinds } from '../documents/documents.ts';
import { QaResults } from '../documents/qaChecklist.ts';
import { BeadId, Sha256, RelativePath, TicketId } from '../core/ids.ts';
import { LimitsChange } from '../settings/limits.ts';
import { FindingVerdict } from '../findings/decision.ts';
import { LoopRequest } from './loop.ts';
import { PartRule } from '../prompts/promptChoices.ts';
import { EditSurface } from '../workflow/receipts.ts';
import { Limits, Settings } from '../settings/settings.ts';
import type { ActionName } from '../workflow/actions.ts';
import type { FormField } from '../workflow/formFields.ts';
import { type FormAction, formActions, type FormFields, formOf } from '../workflow/forms.ts';

const Reason = z.string().max(20_000).default('');
const Text = z.string().trim().min(1).max(20_000);
/** Its length is said with what to do instead: texts are pasted here. */
const ContextText = z
  .string()
  .trim()
  .min(1, 'Context needs a text.')
  .max(
    longestContext,
    'Context has 20,000 characters at most. Put longer material into a file of the repository, and name the file here.',
  );

const EntryId = z.string().min(1).max(200);

/** The ticket whose handoff is received: the last completed one, or the one with this id. */
export const HandoffChoice = z.union([z.literal('latest'), TicketId]);

type FieldSchema<F> = F extends { readonly kind: 'text' }
  ? z.ZodDefault<z.ZodString>
  : F extends { readonly no: object }
    ? z.ZodOptional<z.ZodBoolean>
    : z.ZodDefault<z.ZodBoolean>;
type FormBody<A extends FormAction> = z.ZodObject<{
  [N in keyof FormFields<A>]: FieldSchema<FormFields<A>[N]>;
}>;

/** The bodies of the actions that have a form: what isn't given has its default. */
const formBodies = Object.fromEntries(
  formActions.map((action) => {
    const fields = Object.entries(formOf(action).fields).map(([name, field]) => [name, fieldSchema(field)]);
    return [action, z.object(Object.fromEntries(fields) as Record<string, z.ZodType>)];
  }),
) as { readonly [A in FormAction]: FormBody<A> };

function fieldSchema(field: FormField): z.ZodType {
  if (field.kind === 'flag') return field.no ? z.boolean().optional() : z.boolean().default(false);
  const text = z.string();
  return field.needed === 'always' ? text.trim().min(1).max(field.most) : text.max(field.most).default('');
}

/** The body of every kind of inbox entry. An entry's kind is the action it asks for. */
export const inboxBodies = {
  ...formBodies,
  /** `loop`: of a ticket of depth `loop`, and of no other. */
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
  /** Without ids: everything that is still open (interview), or the whole checklist (manual QA). */
  skip: z.object({ ids: z.array(z.string()).optional(), reason: Reason }),
  /** The hash of what the person saw (docs/decisions/013-approvals-by-hash.md). */
  approve: formBodies.approve.extend({ sha256: Sha256 }),
  /** `baseSha256`: of the version it is made from, if any. In DRAFT, `content`: JSON {title, description}. */
  edit: z.object({
    artifact: z.enum(['ticket', ...approvedKinds]),
    baseSha256: Sha256.nullable(),
    content: z.string().max(10_000_000),
    surface: EditSurface.default('raw'),
  }),
  qa: QaResults,
  /** `baseBranch`: another base than the ticket's; `keep`: the commit it began at stays its base. */
  update_base: z.object({
    baseBranch: z.string().min(1).max(250).optional(),
    keep: z.boolean().default(false),
  }),
  /**
   * Changes asked for by a reviewer. One about a bead that isn't done becomes a note to it, everything else
   * fix beads. `rejects`: the hash of the bead's diff that a person rejects by it.
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
        }),
      )
      .min(1)
      .max(50),
  }),
  /** A person accepts what a bead changed: exactly this diff (docs/decisions/013-approvals-by-hash.md). */
  accept_bead: z.object({ bead: BeadId, sha256: Sha256, reason: Reason }),
  /** A person's own edit of one file of the branch, made from the version with this hash. */
  suggest_edit: z.object({
    file: RelativePath,
    baseSha256: Sha256,
    content: z.string().max(1_000_000),
    bead: BeadId.optional(),
    reason: Reason,
  }),
  /** A decision about a finding. `sha256`: what the person saw of it (`DecidedFinding`), if anything. */
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
  /** `interrupt`: the coding session starts again with the text (docs/decisions/141-context-inbox.md). */
  context: z.object({
    text: ContextText,
    scope: ContextScope.default('once'),
    interrupt: z.boolean().optional(),
  }),
  /** As long as agents are still to get it. `entry`: the id of the entry of the inbox that brought it. */
  withdraw_context: z.object({ entry: EntryId }),
  edit_context: z.object({ entry: EntryId, text: ContextText }),
  /** A rule for a part of later prompts, of the ticket or of a bead; `none` takes it back. */
  prompt_rule: z.object({
    part: z.string().min(1).max(100),
    rule: z.enum([...PartRule.options, 'none']),
    bead: BeadId.nullable().default(null),
  }),
  /** The next prompt is shown before it is sent. */
  preview_prompt: z.object({}),
  /** One list of texts per question of the request; null leaves it to the agent. */
  question_reply: z.object({
    request: z.string(),
    answers: z
      .array(z.array(z.string().max(20_000)).max(50))
      .max(50)
      .nullable(),
  }),
  permission_reply: z.object({ request: z.string(), allow: z.boolean() }),
  /** `at`: a wait for a provider ends then, in milliseconds since 1970, and not now. */
  resume: z.object({ at: z.number().optional() }),
  /** The handoff as a person wants it; an empty one is removed. `baseSha256`: what it was made from. */
  edit_handoff: z.object({ baseSha256: Sha256, content: z.string().max(100_000) }),
  /** `baseSha256`: the limits the change was made from (docs/decisions/013-approvals-by-hash.md). */
  limits: z.object({ baseSha256: Sha256, limits: LimitsChange, reason: Reason }),
  /** `sha256`: of the plan change that was seen, to `approve` it (docs/decisions/138-failure-analysis.md). */
  follow_analysis: z.discriminatedUnion('choice', [
    z.object({ bead: BeadId, choice: z.enum(recommendations), reason: Reason }),
    z.object({ bead: BeadId, choice: z.literal('approve'), sha256: Sha256, reason: Reason }),
  ]),
} as const satisfies Record<ActionName, z.ZodType>;

/** One thing a reviewer asks for. */
export type ChangeItem = z.infer<typeof inboxBodies.changes>['items'][number];

/** The kind of an inbox entry: the name of the action it asks for. */
export type InboxKind = keyof typeof inboxBodies;

/** The body of an entry of this kind, as validated and with defaults filled in. */
export type InboxBody<K extends InboxKind> = z.infer<(typeof inboxBodies)[K]>;

/** An entry as stored. `outcome` is filled in when it was consumed or refused. */
export interface InboxEntry<K extends InboxKind = InboxKind> {
  readonly id: string;
  readonly ticket: string;
  readonly kind: K;
  readonly body: InboxBody<K>;
  readonly postedAt: number;
  readonly state: 'pending' | 'consumed' | 'refused';
  readonly outcome: { readonly code: string; readonly message: string } | null;
  /** The proof that a person decided, which admission reads (docs/decisions/110-decisions-are-sealed.md). */
  readonly seal?: string;
}
