import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse } from 'yaml';
import * as z from 'zod';
import type { ContextState } from '../../../src/context/contextState.ts';
import { emptyContextState } from '../../support/samples.ts';

const names = z.array(z.string());
const Fixture = z.strictObject({
  ticketState: z.record(
    z.string(),
    z.union([z.literal('string'), z.tuple([z.literal('string')]), z.literal('string[]')]),
  ),
  contextKeys: names,
  allowlists: z.record(z.string(), names),
  trimOrder: names,
  tokenBudget: z.number(),
  cacheTtlMs: z.number(),
  statuses: names,
});

/** The product is compared with the fixture, never the reverse. */
export const contextTables = Fixture.parse(
  parse(readFileSync(join(import.meta.dirname, '../../fixtures/context-tables.yaml'), 'utf8')),
);

/** The allowlists of keys that the fixture doesn't have. */
export const ownAllowlists: Readonly<Record<string, readonly string[]>> = {
  relevant_files_scan: ['ticket_details'],
  relevant_files_refresh: ['relevant_files', 'ticket_details', 'interview'],
  quick_plan: ['relevant_files', 'ticket_details', 'interview'],
  full_answers_fill: ['relevant_files', 'ticket_details', 'interview'],
  execution_setup_note: ['ticket_details', 'error_context'],
  final_test_note: ['ticket_details', 'error_context'],
  qa_checklist: ['ticket_details', 'prd', 'beads'],
  qa_fix: ['ticket_details', 'prd', 'beads'],
  base_update: ['ticket_details', 'prd', 'beads'],
  capability_probe: [],
  review: ['bead_data'],
  fix: ['bead_data'],
  failure_analysis: ['bead_data'],
  kickoff: ['bead_data'],
  retrospective: ['ticket_details'],
};

export const canary = (name: string): string => `CANARY-${name}-CANARY`;

/** Each field has a word of its own. */
export const anyState = fc
  .record(
    Object.fromEntries(
      Object.keys(emptyContextState).map((field) => [
        field,
        fc.array(fc.string(), { minLength: 1, maxLength: 3 }),
      ]),
    ),
  )
  .map((texts) => {
    const entries = Object.entries(emptyContextState).map(([field, empty]) => {
      const given = (texts[field] ?? []).map((text) => `${text} ${canary(field)} ${text}`);
      return [field, Array.isArray(empty) ? given : given[0]];
    });
    return Object.fromEntries(entries) as ContextState;
  });
