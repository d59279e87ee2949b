import * as z from 'zod';
import { documentOf } from '../../domain/documents/documents.ts';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { InboxBody } from '../../domain/ticket/inbox.ts';
import type { ApprovalArtifact } from '../../protocol/pages/approval.ts';

type Edit = Pick<InboxBody<'edit'>, 'content' | 'surface'>;

const Fields = z.record(z.string(), z.unknown());

/**
 * Returns an edit of the page as the engine's edits are written: the whole document with every field it came
 * with, or of an interview the changed answers, because only the engine knows when they were given. Throws
 * INVALID_INPUT for a value of another shape altogether; the engine checks the rest.
 */
export async function editedText(artifact: ApprovalArtifact, value: unknown): Promise<Edit> {
  const { format, approval } = documentOf(artifact);
  const shape = approval?.answers ?? (format === 'jsonl' ? z.array(Fields) : Fields);
  const parsed = shape.safeParse(value);
  if (!parsed.success)
    throw new BeadsmithError('INVALID_INPUT', {
      what: 'What was edited',
      reason: z.prettifyError(parsed.error),
    });
  if (approval?.answers) return { content: JSON.stringify(parsed.data), surface: 'answers' };
  const { writeText } = await import('../../domain/documents/base/text.ts');
  return { content: writeText(format, parsed.data), surface: 'structured' };
}
