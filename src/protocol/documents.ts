import { sha256 } from '../base/sha256.ts';
import { documentKinds, documentOf } from '../domain/documents/documents.ts';
import { TicketId } from '../domain/core/ids.ts';
import { documentScheme } from './schemes.ts';

/** The parts of an address, as the editor names them. */
export interface DocumentAddress {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/** The contents of a document's address. `type` is the artifact's type. */
export interface DocumentPlace {
  /** The `repositoryKey` of the repository's top folder. */
  readonly repository: string;
  readonly ticket: TicketId;
  readonly type: string;
  /** A stored version, which never changes; without it, the current one. */
  readonly version?: number;
}

/** Documents that have a file name of their own; the others are named after their type. */
const fileNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(documentKinds.map((kind) => [kind, documentOf(kind).file])),
  pull_request_report: 'pull-request.md',
};
const types = new Map(Object.entries(fileNames).map(([type, file]) => [file, type]));
const storedAsJson =
  /(?:_report|_results|_checklist|_receipt|_notes|_profile|_requested)$|^bead_(?:execution|commit|amendment|failures)$|^commit_evidence$/;

/**
 * A short name of a repository that fits in an address: what people call its folder, and a part of its path's
 * hash, so that two folders of the same name differ. Lowercase, because the editor compares this part without
 * regard to case.
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

/** The path of a document below its ticket, such as `prd.yaml`; undefined if the type has no safe one. */
export function fileOf(type: string): string | undefined {
  if (Object.hasOwn(fileNames, type)) return fileNames[type];
  const [, base = '', about] = /^([a-z]+(?:_[a-z]+)*)(?::(.*))?$/s.exec(type) ?? [];
  if (base === '' || (about !== undefined && !isSafe(about))) return undefined;
  const name = `${base.replaceAll('_', '-')}${about === undefined ? '' : `/${about}`}`;
  return `${name}.${base === 'bead_diff' ? 'diff' : storedAsJson.test(base) ? 'json' : 'yaml'}`;
}

/** The type of document a path below a ticket names; undefined when it names none. */
export function typeOf(file: string): string | undefined {
  const own = types.get(file);
  if (own !== undefined) return own;
  const [, base = '', about] = /^([a-z]+(?:-[a-z]+)*)(?:\/(.+))?\.(?:yaml|json|diff)$/s.exec(file) ?? [];
  const type = `${base.replaceAll('-', '_')}${about === undefined ? '' : `:${about}`}`;
  return fileOf(type) === file ? type : undefined;
}

/** The address of a document; undefined if its type has no safe path. */
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

/** Parses an address; returns undefined if it isn't one of ours. */
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

/** Checks the text after the `:` of a type: it must not lead out of the folder, or be changed. */
function isSafe(about: string): boolean {
  return /^[\w@.:+-]+(?:\/[\w@.:+-]+)*$/.test(about) && !about.split('/').some((part) => /^\.+$/.test(part));
}
