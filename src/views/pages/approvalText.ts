import * as z from 'zod';
import { BeadsmithError } from '../../domain/errors.ts';
import type { InboxBody } from '../../domain/inbox.ts';
import { AnswerInput } from '../../domain/documents/answers.ts';
import type { ApprovalArtifact } from '../../protocol/pages/approval.ts';

type Edit = Pick<InboxBody<'edit'>, 'content' | 'surface'>;

const shapes = {
  interview: z.record(z.string(), AnswerInput),
  prd: z.record(z.string(), z.unknown()),
  execution_setup_plan: z.record(z.string(), z.unknown()),
  beads: z.array(z.record(z.string(), z.unknown())),
} as const satisfies Record<ApprovalArtifact, z.ZodType>;

/**
 * What the page edited, as the engine's edits are written: the whole document with every field it came with, or of an interview the changed answers,
 * because only the engine knows when they were given. Throws INVALID_INPUT for what has another shape altogether; the engine checks the rest.
 */
export async function editedText(artifact: ApprovalArtifact, value: unknown): Promise<Edit> {
  const parsed = shapes[artifact].safeParse(value);
  if (!parsed.success) throw new BeadsmithError('INVALID_INPUT', { what: 'What was edited', reason: z.prettifyError(parsed.error) });
  if (artifact === 'interview') return { content: JSON.stringify(parsed.data), surface: 'answers' };
  if (Array.isArray(parsed.data))
    return { content: parsed.data.map((bead) => `${JSON.stringify(bead)}\n`).join(''), surface: 'structured' };
  const { stringify } = await import('../../protocol/yaml.ts');
  return { content: stringify(parsed.data, { lineWidth: 0, aliasDuplicateObjects: false }), surface: 'structured' };
}
