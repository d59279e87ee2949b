import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

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

/**
 * The tables that are pinned by a fixture: the product is compared with them, and never the other way round.
 */
export const contextTables = Fixture.parse(
  parse(readFileSync(join(import.meta.dirname, '../../fixtures/context-tables.yaml'), 'utf8')),
);
