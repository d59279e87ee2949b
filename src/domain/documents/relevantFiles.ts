import * as z from 'zod';
import { TicketId, RelativePath } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/** `relevant-files.yaml`, most relevant first (docs/decisions/017-relevant-files.md). */
export const RelevantFile = z.object({
  path: RelativePath,
  rationale: z.string().max(4_000).default(''),
  relevance: z.enum(['high', 'medium', 'low']).default('medium'),
  likely_action: z.enum(['read', 'modify', 'create']).default('read'),
  content_preview: z.string().max(20_000).default(''),
});
export type RelevantFile = z.infer<typeof RelevantFile>;

/** A model's `<RELEVANT_FILES_RESULT>`. */
export const RelevantFilesResult = z.object({
  file_count: z.number().int().optional(),
  files: z.array(RelevantFile),
});

/** The stored scan. */
export const RelevantFiles = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('relevant_files'),
  file_count: z.number().int().nonnegative(),
  /** AGENTS.md and the like in the folders of `files`, whatever the scan says. */
  rules_files: z.array(RelativePath),
  files: z.array(RelevantFile).max(30),
  notes: z.array(z.string()).default([]),
});
export type RelevantFiles = z.infer<typeof RelevantFiles>;

/** The read-only scan. */
export const relevantFilesDocument = {
  kind: 'relevant_files',
  title: 'Relevant files',
  subject: 'The list of relevant files',
  file: 'relevant-files.yaml',
  format: 'yaml',
  projection: 'relevant-files.yaml',
  schema: RelevantFiles,
} as const satisfies Document<RelevantFiles>;
