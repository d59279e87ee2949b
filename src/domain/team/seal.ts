import { canonicalJson } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import type { InboxEntry } from '../ticket/inbox.ts';

/** The parts of an inbox entry that its seal covers. */
export type SealedEntry = Pick<InboxEntry, 'id' | 'ticket' | 'kind' | 'body'>;

/** The text that a device's key signs: its entry in this repository, and no other. */
export function sealText(
  repository: string,
  { id, ticket, kind, body }: Omit<SealedEntry, 'body'> & { readonly body: unknown },
): string {
  return canonicalJson([repository, id, ticket, kind, sha256(canonicalJson(body))]);
}

/** A seal as it is stored. `signature` in base64url. */
export function teamSeal({ key, signature }: TeamSeal): string {
  return `team:${key}:${signature}`;
}

/** Undefined for anything else. */
export function readTeamSeal(text: string | undefined): TeamSeal | undefined {
  const [, key, signature] = /^team:([0-9a-f]{32}):([\w-]{1,200})$/.exec(text ?? '') ?? [];
  return key === undefined || signature === undefined ? undefined : { key, signature };
}

interface TeamSeal {
  readonly key: string;
  readonly signature: string;
}
