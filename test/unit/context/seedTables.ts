import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const names = z.array(z.string());
const Fixture = z.strictObject({
  ticketState: z.record(z.string(), z.union([z.literal('string'), z.tuple([z.literal('string')]), z.literal('string[]')])),
  contextKeys: names,
  allowlists: z.record(z.string(), names),
  trimOrder: names,
  tokenBudget: z.number(),
  cacheTtlMs: z.number(),
  statuses: names,
});

/** The tables of seed 000, read off by hand; the product is compared with them and never the other way round. */
export const seedTables = Fixture.parse(parse(readFileSync(join(import.meta.dirname, '../../fixtures/seed-000.yaml'), 'utf8')));
