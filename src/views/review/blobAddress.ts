import * as z from 'zod';
import { jsonOf } from '../../base/json.ts';
import { BeadId, CommitSha, TicketId, RelativePath } from '../../domain/core/ids.ts';
import { type DocumentAddress, repositoryKey } from '../../protocol/documents.ts';
import type { CommittedScope } from '../../protocol/review.ts';
import { blobScheme, diffScheme } from '../../protocol/schemes.ts';

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

/** A file of a diff in an editor, or several files. `commit`: the right side, where that is known. */
export interface ShownDiff extends Pick<BlobPlace, 'repository' | 'ticket' | 'scope'> {
  readonly file?: string;
  readonly commit?: string;
}

export function blobAddress(root: string, blob: Omit<BlobPlace, 'repository'>): DocumentAddress {
  const { ticket, path, commit, side, scope } = blob;
  const query = queryOf({ commit, side, ...aboutOf(scope) });
  return { scheme: blobScheme, authority: repositoryKey(root), path: `/${ticket}/${path}`, query };
}

/** Of an editor with several files; another commit is another editor. */
export function diffAddress(
  root: string,
  { ticket, scope, commit }: Required<Pick<ShownDiff, 'ticket' | 'scope' | 'commit'>>,
): DocumentAddress {
  const query = queryOf({ commit, side: 'new', ...aboutOf(scope) });
  return { scheme: diffScheme, authority: repositoryKey(root), path: `/${ticket}`, query };
}

/** Of the editor that a file is shown in together with others. */
export function aroundFile(address: DocumentAddress): DocumentAddress | undefined {
  const blob = parseBlobAddress(address);
  return blob && { ...address, scheme: diffScheme, path: `/${blob.ticket}` };
}

/** Undefined for an address that isn't ours. */
export function parseShownDiff(address: DocumentAddress): ShownDiff | undefined {
  const blob =
    address.scheme === diffScheme
      ? parseBlobAddress({ ...address, scheme: blobScheme, path: `${address.path}/all` })
      : parseBlobAddress(address);
  if (!blob) return undefined;
  const { repository, ticket, scope, path, commit, side } = blob;
  return {
    repository,
    ticket,
    scope,
    ...(address.scheme === diffScheme ? {} : { file: path }),
    ...(commit !== null && side === 'new' ? { commit } : {}),
  };
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

/** Ends the query, so that menus know the diff of a bead. */
function aboutOf(scope: CommittedScope): { readonly bead?: string; readonly iteration?: number } {
  if (scope.kind === 'ticket') return {};
  return { bead: scope.bead, ...(scope.kind === 'iteration' ? { iteration: scope.iteration } : {}) };
}

function queryOf(query: z.infer<typeof Query>): string {
  return JSON.stringify(query);
}
