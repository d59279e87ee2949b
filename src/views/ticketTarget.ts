import { z } from 'zod';
import { TicketId } from '../domain/ids.ts';

/**
 * What a command may be called with: an item of the tree, or the same fields from a keybinding or another extension. Anything else counts as
 * nothing, and the person is asked.
 */
const Target = z.object({ root: z.string().optional(), ticket: TicketId.optional(), artifact: z.string().max(200).optional() });
export type Target = z.infer<typeof Target>;

export function parseTarget(argument: unknown): Target {
  const result = Target.safeParse(argument);
  return result.success ? result.data : {};
}
