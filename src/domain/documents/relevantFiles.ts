import * as z from 'zod';
import { TicketId, RelativePath } from '../core/ids.ts';
import type { Document } from './base/document.ts';

/** `relevant-files.yaml`: the scan, most relevant first (docs/decisions/017-relevant-files.md). */
export const RelevantFile = z.object({
  path: RelativePath,
  rationale: z.string().max(4_000).default(''),
  relevance: z.enum(['high', 'medium', 'low']).default('medium'),
  likely_action: z.enum(['read', 'modify', 'create']).default('read'),
  content_preview: z.string().max(20_000).default(''),
});
export type RelevantFile = z.infer<typeof RelevantFile>;

/** The model's answer inside `<RELEVANT_FILES_RESULT>`. */
export const RelevantFilesResult = z.object({
  file_count: z.number().int().optional(),
  files: z.array(RelevantFile),
});

/** The stored scan. `file_count` is the number of `files`. */
export const RelevantFiles = z.object({
  schema_version: z.literal(1),
  ticket_id: TicketId,
  artifact: z.literal('relevant_files'),
  file_count: z.number().int().nonnegative(),
  /** AGENTS.md and the like, for the folders of `files`; always listed, whatever the scan says. */
  rules_files: z.array(RelativePath),
  files: z.array(RelevantFile).max(30),
  /** Notes on what was left out and why, and on what else a reader should know, a sentence each. */
  notes: z.array(z.string()).default([]),
});
export type RelevantFiles = z.infer<typeof RelevantFiles>;

const listed = 'Files: {0}, notes: {1}';

/** The scan, which is only read. */
export const relevantFilesDocument = {
  kind: 'relevant_files',
  title: 'Relevant files',
  subject: 'The list of relevant files',
  file: 'relevant-files.yaml',
  format: 'yaml',
  projection: 'relevant-files.yaml',
  schema: RelevantFiles,
  repeatedIds: 'error',
  items: () => [],
  summaries: [listed],
  summary: (value) => {
    const { data } = RelevantFiles.safeParse(value);
    return data && { text: listed, args: [data.files.length, data.notes.length] };
  },
} as const satisfies Document<RelevantFiles>;
