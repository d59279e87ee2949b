import { Uri } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import {
  documentAddress,
  type DocumentPlace,
  parseAddress,
  repositoryKey,
} from '../../protocol/documents.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';

/** The address of a ticket's document. INVALID_INPUT for a type that can't be shown. */
export function documentUri(root: string, ticket: string, type: string, version?: number): Uri {
  const address = documentAddress(root, ticket, type, version);
  if (!address) throw new BeadsmithError('INVALID_INPUT', { what: type, reason: 'it is no document' });
  return Uri.from(address);
}

/** Returns the place that a document's address names; undefined when the address isn't one of ours. */
export function placeOf(uri: Uri): DocumentPlace | undefined {
  const { scheme, authority, path, query } = uri;
  return parseAddress({ scheme, authority, path, query });
}

/** The open repository an address speaks of. */
export function repositoryOf(repositories: Repositories, key: string): OpenRepository | undefined {
  const entry = repositories.entries.find(({ root }) => repositoryKey(root) === key);
  return entry?.kind === 'open' ? entry.repository : undefined;
}
