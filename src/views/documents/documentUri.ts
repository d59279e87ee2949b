import { Uri } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import {
  documentAddress,
  type DocumentPlace,
  parseAddress,
  repositoryKey,
} from '../../protocol/documents.ts';
import type { OpenRepository, Repositories } from '../shared/repositories.ts';

/** INVALID_INPUT for a type that can't be shown. */
export function documentUri(root: string, ticket: string, type: string, version?: number): Uri {
  const address = documentAddress(root, ticket, type, version);
  if (!address) throw new BeadsmithError('INVALID_INPUT', { what: type, reason: 'it is no document' });
  return Uri.from(address);
}

/** Undefined when the address isn't one of ours. */
export function placeOf(uri: Uri): DocumentPlace | undefined {
  const { scheme, authority, path, query } = uri;
  return parseAddress({ scheme, authority, path, query });
}

export function repositoryOf(repositories: Repositories, key: string): OpenRepository | undefined {
  const entry = repositories.entries.find(({ root }) => repositoryKey(root) === key);
  return entry?.kind === 'open' ? entry.repository : undefined;
}
