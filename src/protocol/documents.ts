import { sha256 } from '../base/sha256.ts';
import { documentKinds, documentOf } from '../domain/documents/documents.ts';
import { TicketId } from '../domain/core/ids.ts';
import { documentScheme } from './schemes.ts';

/** An address in parts, as in the editor. */
export interface DocumentAddress {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** The place of a document. `type`: of its artifact. */
export interface DocumentPlace {
  readonly repository: string;
  readonly ticket: TicketId;
  readonly type: string;
  readonly version?: number;
}

/** Others are named after their type. */
const fileNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(documentKinds.map((kind) => [kind, documentOf(kind).file])),
  pull_request_report: 'pull-request.md',
};
const types = new Map(Object.entries(fileNames).map(([type, file]) => [file, type]));
const storedAsJson =
  /(?:_report|_results|_checklist|_receipt|_notes|_profile|_requested)$|^bead_(?:execution|commit|amendment|failures)$|^commit_evidence$/;

/**
 * A repository's name in addresses: its folder, and a hash of its path. Lowercase, because the editor ignores
 * case there.
 */
export function repositoryKey(root: string): string {
  const name = root.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');
  return `${plain === '' ? 'repository' : plain}-${sha256(root).slice(0, 8)}`;
}

/** The path below a ticket, such as `prd.yaml`; undefined without a safe one. */
export function fileOf(type: string): string | undefined {
  if (Object.hasOwn(fileNames, type)) return fileNames[type];
  const [, base = '', about] = /^([a-z]+(?:_[a-z]+)*)(?::(.*))?$/s.exec(type) ?? [];
  if (base === '' || (about !== undefined && !isSafe(about))) return undefined;
  const name = `${base.replaceAll('_', '-')}${about === undefined ? '' : `/${about}`}`;
  return `${name}.${base === 'bead_diff' ? 'diff' : storedAsJson.test(base) ? 'json' : 'yaml'}`;
}

/** The document type of a path below a ticket. */
export function typeOf(file: string): string | undefined {
  const own = types.get(file);
  if (own !== undefined) return own;
  const [, base = '', about] = /^([a-z]+(?:-[a-z]+)*)(?:\/(.+))?\.(?:yaml|json|diff)$/s.exec(file) ?? [];
  const type = `${base.replaceAll('-', '_')}${about === undefined ? '' : `:${about}`}`;
  return fileOf(type) === file ? type : undefined;
}

/** A document's address; undefined without a safe path. */
export function documentAddress(
  root: string,
  ticket: string,
  type: string,
  version?: number,
): DocumentAddress | undefined {
  const file = fileOf(type);
  if (file === undefined) return undefined;
  const query = version === undefined ? '' : `version=${String(version)}`;
  return { scheme: documentScheme, authority: repositoryKey(root), path: `/${ticket}/${file}`, query };
}

/** Parses one of our addresses. */
export function parseAddress({ scheme, authority, path, query }: DocumentAddress): DocumentPlace | undefined {
  const [, ticket = '', file = ''] = /^\/([^/]+)\/(.+)$/s.exec(path) ?? [];
  const type = typeOf(file);
  if (
    scheme !== documentScheme ||
    authority === '' ||
    type === undefined ||
    !TicketId.safeParse(ticket).success
  )
    return undefined;
  const place = { repository: authority, ticket, type };
  if (query === '') return place;
  const version = /^version=([1-9]\d{0,8})$/.exec(query)?.[1];
  return version === undefined ? undefined : { ...place, version: Number(version) };
}

/** It must not leave the folder, nor be changed. */
function isSafe(about: string): boolean {
  return /^[\w@.:+-]+(?:\/[\w@.:+-]+)*$/.test(about) && !about.split('/').some((part) => /^\.+$/.test(part));
}
