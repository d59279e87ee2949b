import type { Settled } from '../../base/result.ts';
import type { EditSurface } from '../receipts.ts';
import type { Document } from './document.ts';
import { readText } from './text.ts';

/** An edit as it arrives. */
interface WrittenEdit {
  readonly content: string;
  readonly surface: EditSurface;
}

/**
 * Decodes an edit and checks it against the current version. Answers the new version as a draft, or where and why it can't be used. `at` is an ISO
 * text. A document that isn't approved can't be edited.
 */
export function editDocument(
  { subject, format, approval }: Document<unknown>,
  { content, surface }: WrittenEdit,
  present: unknown,
  about: { readonly ticket: string; readonly at: string },
): Settled<unknown, string> {
  if (!approval) return { ok: false, error: `${subject} can only be read.` };
  const read = readText(format, content);
  return read.ok ? approval.edited({ value: read.value, surface, ...about }, present) : read;
}
