import * as z from 'zod';
import { StatusName } from '../../domain/ticket.ts';
import { rowOf, statuses } from '../../domain/workflow/workflow.ts';
import type { TicketSummary } from '../../engine/ports/storePort.ts';
import type { Database } from './database.ts';
import { parseJson } from './rows.ts';

const Coding = z.object({ bead: z.string(), title: z.string(), number: z.number(), iteration: z.number() });
const Rows: z.ZodType<readonly TicketSummary[]> = z.array(
  z.object({
    id: z.string(),
    status: StatusName,
    title: z.string(),
    priority: z.number(),
    hold: z.string().nullable(),
    updatedAt: z.number(),
    beadsDone: z.number(),
    beadsTotal: z.number(),
    holdUntil: z.number().nullable(),
    coding: z
      .string()
      .transform((text) => Coding.parse(parseJson(text)))
      .nullable(),
    preparing: z.number().transform((found) => found === 1),
  }),
);

/** What waits there is no step that was begun; only work is. */
const gates = JSON.stringify(statuses.filter((status) => rowOf(status).kind === 'gate'));

/** Descriptions and settings stay in the database: of ten thousand tickets a list needs a line each. */
const select = `SELECT id, status, body ->> 'title' AS title, body ->> 'priority' AS priority, body ->> '$.hold.kind' AS hold,
    body ->> 'updatedAt' AS updatedAt,
    (SELECT count(*) FROM beads WHERE ticket = tickets.id AND beads.body ->> 'status' = 'done') AS beadsDone,
    (SELECT count(*) FROM beads WHERE ticket = tickets.id) AS beadsTotal,
    body ->> '$.hold.request.until' AS holdUntil,
    status IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM runs JOIN steps ON steps.run = runs.id
      WHERE runs.ticket = tickets.id AND runs.status = tickets.status AND runs.state = 'open' AND steps.state = 'intent') AS preparing,
    CASE status WHEN 'CODING' THEN (SELECT json_object('bead', id, 'title', beads.body ->> 'title', 'number', position + 1,
        'iteration', beads.body ->> 'iteration')
      FROM beads WHERE ticket = tickets.id AND beads.body ->> 'status' = 'in_progress' ORDER BY position LIMIT 1) END AS coding
  FROM tickets`;

/** All tickets, or those with these ids, in the order of their numbers. */
export function readSummaries(database: Database, ids?: readonly string[]): readonly TicketSummary[] {
  const rows =
    ids === undefined
      ? database.all(`${select} ORDER BY prefix, number`, gates)
      : database.all(`${select} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY prefix, number`, gates, JSON.stringify(ids));
  return Rows.parse(rows);
}
