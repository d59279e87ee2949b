import * as z from 'zod';
import { itemOf, listOf } from './base/check.ts';
import type { Document } from './base/document.ts';

/** A model's `<MANUAL_QA_CHECKLIST>` (docs/decisions/041-manual-qa.md). */
export const QaChecklistDraft = z.object({
  items: z
    .array(
      z.object({
        id: z.string().default(''),
        title: z.string().min(1),
        behavior: z.string().default(''),
        severity: z.enum(['required', 'optional']).default('required'),
        prerequisites: z.array(z.string()).default([]),
        actions: z.array(z.string()).min(1),
        expectedResult: z.string().default(''),
        beadRefs: z.array(z.string()).default([]),
        prdRefs: z.array(z.string()).default([]),
      }),
    )
    .min(1)
    .max(100),
});

/** `manual_qa_checklist` of one round, which its item ids name: `qa-v2-001`. */
export const QaChecklist = z.object({
  schema_version: z.literal(1),
  round: z.number().int().positive(),
  items: QaChecklistDraft.shape.items,
});
export type QaChecklist = z.infer<typeof QaChecklist>;

/** Results by item id. A failed item needs an observation. */
export const QaResults = z
  .object({
    results: z.record(
      z.string(),
      z.object({
        result: z.enum(['pass', 'fail', 'waive']),
        observation: z.string().max(20_000).default(''),
      }),
    ),
  })
  .refine(
    (qa) =>
      Object.values(qa.results).every((item) => item.result !== 'fail' || item.observation.trim() !== ''),
    'A failed item needs an observation.',
  );
export type QaResults = z.infer<typeof QaResults>;

/** The manual QA checklist. Its gate takes results instead of an approval. */
export const qaChecklistDocument = {
  kind: 'manual_qa_checklist',
  title: 'QA checklist',
  subject: 'The QA checklist',
  file: 'manual-qa-checklist.json',
  format: 'json',
  schema: QaChecklist,
  items: (value) => listOf(value, ['items']).flatMap((item) => itemOf('check', item, 'title')),
} as const satisfies Document<QaChecklist>;
