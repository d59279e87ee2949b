import * as z from 'zod';
import { BeadId, CommitSha, TicketId } from '../../domain/core/ids.ts';
import { longestDescription } from '../../domain/description/ticketText.ts';
import { parseAddress, repositoryKey } from '../../protocol/documents.ts';
import { parseShownDiff } from '../review/blobAddress.ts';

const Item = z.object({
  root: z.string().optional(),
  ticket: TicketId.optional(),
  artifact: z.string().max(200).optional(),
  version: z.number().int().positive().optional(),
  items: z.array(z.string()).optional(),
  bead: BeadId.optional(),
  iteration: z.number().int().positive().optional(),
  /** A path of a diff. */
  file: z.string().max(4_096).optional(),
  finding: z.string().max(200).optional(),
  /** The right side of the diff that the person sees, and the file. */
  commit: CommitSha.optional(),
  /** All that a ticket changed, in place of a bead. */
  scope: z.literal('ticket').optional(),
  column: z.string().max(40).optional(),
  title: z.string().max(200).optional(),
  description: z.string().max(longestDescription).optional(),
});
const Address = z.object({
  scheme: z.string(),
  authority: z.string(),
  path: z.string(),
  query: z.string(),
  items: Item.shape.items,
});

/**
 * The argument of a command: an item of the tree, the same fields from elsewhere, or the address of a
 * document. Anything else counts as nothing, and the person is asked.
 */
export interface Target extends z.infer<typeof Item> {
  readonly repository?: string;
}

export function isIn(target: Target, root: string): boolean {
  return (
    (target.root ?? root) === root &&
    (target.repository === undefined || target.repository === repositoryKey(root))
  );
}

export function parseTarget(argument: unknown): Target {
  const address = Address.safeParse(argument);
  const place = address.success ? parseAddress(address.data) : undefined;
  if (place) {
    const { type: artifact, ...rest } = place;
    const items = address.data?.items;
    return { ...rest, artifact, ...(items ? { items } : {}) };
  }
  const diff = address.success ? parseShownDiff(address.data) : undefined;
  if (diff) {
    const { scope, ...rest } = diff;
    const { kind: _, ...about } = scope;
    return { ...rest, ...about };
  }
  const result = Item.safeParse(argument);
  return result.success ? result.data : {};
}
