import * as z from 'zod';
import { BeadId, CommitSha, TicketId, RelativePath } from '../../domain/core/ids.ts';
import { type DocumentAddress, repositoryKey } from '../../protocol/documents.ts';
import type { CommittedScope } from '../../protocol/review.ts';
import { blobScheme } from '../../protocol/schemes.ts';

const Query = z.strictObject({
  /** Null: the file isn't there on this side. */
  commit: CommitSha.nullable(),
  side: z.enum(['old', 'new']),
  bead: BeadId.optional(),
  iteration: z.number().int().positive().optional(),
});

export interface BlobPlace {
  /** As `repositoryKey` makes it of the repository's top folder. */
  readonly repository: string;
  readonly ticket: TicketId;
  readonly path: string;
  readonly commit: string | null;
  readonly side: 'old' | 'new';
  readonly scope: CommittedScope;
}

export function blobAddress(root: string, blob: Omit<BlobPlace, 'repository'>): DocumentAddress {
  const { ticket, path, commit, side, scope } = blob;
  const about =
    scope.kind === 'ticket'
      ? {}
      : { bead: scope.bead, ...(scope.kind === 'iteration' ? { iteration: scope.iteration } : {}) };
  const query = JSON.stringify({ commit, side, ...about } satisfies z.infer<typeof Query>);
  return { scheme: blobScheme, authority: repositoryKey(root), path: `/${ticket}/${path}`, query };
}

/** Undefined for an address that isn't ours; it can come from any source. */
export function parseBlobAddress({ scheme, authority, path, query }: DocumentAddress): BlobPlace | undefined {
  const [, ticket = '', file = ''] = /^\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  const asked = Query.safeParse(jsonOf(query));
  if (scheme !== blobScheme || authority === '' || !asked.success) return undefined;
  if (!TicketId.safeParse(ticket).success || !RelativePath.safeParse(file).success) return undefined;
  const { commit, side, bead, iteration } = asked.data;
  if (bead === undefined && iteration !== undefined) return undefined;
  return { repository: authority, ticket, path: file, commit, side, scope: scopeOf(bead, iteration) };
}

export function scopeOf(bead: string | undefined, iteration: number | undefined): CommittedScope {
  if (bead === undefined) return { kind: 'ticket' };
  return iteration === undefined ? { kind: 'bead', bead } : { kind: 'iteration', bead, iteration };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
