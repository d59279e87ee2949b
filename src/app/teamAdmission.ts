import type { InstallationKey } from '../adapters/keys/installationKey.ts';
import { isSignedBy, keyIdOfSpki } from '../adapters/keys/signatures.ts';
import { BeadsmithError } from '../domain/core/errors.ts';
import { mayDecide, type TeamKey } from '../domain/team/keys.ts';
import { readTeamSeal, type SealedEntry, sealText, teamSeal } from '../domain/team/seal.ts';
import type { InboxEntry } from '../domain/ticket/inbox.ts';
import { definitionOf } from '../domain/workflow/actions.ts';
import type { Store } from '../engine/ports/storePort.ts';
import { type Decisions, type Sealing, sealedStore } from './admission.ts';

/** A team's keys, as far as admission reads them. */
export interface KnownKeys {
  find(id: string): Promise<TeamKey | undefined>;
}

export interface TeamAdmissionOptions extends Omit<Parameters<typeof sealedStore>[0], 'decisions'> {
  readonly decisions: Pick<Decisions, 'decide'>;
  /** The name in the team. */
  readonly repository: string;
  readonly keys: KnownKeys;
  readonly key: Pick<InstallationKey, 'sign' | 'spki'>;
}

/**
 * Seals with this installation's key, and admits what a device of the team sealed
 * (docs/decisions/221-devices-seal-decisions.md).
 */
export function withTeamAdmission(options: TeamAdmissionOptions): Store {
  return sealedStore(options, teamSealing(options));
}

function teamSealing({ repository, keys, key }: TeamAdmissionOptions): Sealing {
  return {
    file: async (entry, post) => {
      const id = keyIdOfSpki(await key.spki()) ?? '';
      const known = await keys.find(id);
      if (!known) throw new BeadsmithError('DEVICE_UNKNOWN');
      assertMay(known, entry.kind);
      const signed = await key.sign(sealText(repository, entry));
      if (!signed) throw new BeadsmithError('DEVICE_UNKNOWN');
      const signature = Buffer.from(signed.signature, 'base64').toString('base64url');
      return post(teamSeal({ key: id, signature }));
    },
    isGenuine: (entry) => isSealed(keys, repository, entry),
  };
}

/** Returns whether a device that may decide this sealed the entry. */
export async function isSealed(
  keys: KnownKeys,
  repository: string,
  entry: SealedEntry & Pick<InboxEntry, 'seal'>,
): Promise<boolean> {
  const seal = readTeamSeal(entry.seal);
  const key = seal && (await keys.find(seal.key));
  if (!key || keyIdOfSpki(key.publicKey) !== key.id || !may(key, entry.kind)) return false;
  return isSignedBy(key.publicKey, sealText(repository, entry), seal.signature);
}

/** Throws DEVICE_REVOKED, ROLE_MISSING. */
export function assertMay(key: TeamKey, kind: InboxEntry['kind']): void {
  if (key.revokedAt !== null) throw new BeadsmithError('DEVICE_REVOKED');
  if (!may(key, kind)) throw new BeadsmithError('ROLE_MISSING', { role: key.role, needed: 'reviewer' });
}

function may(key: TeamKey, kind: InboxEntry['kind']): boolean {
  if (definitionOf(kind).decidesNothing) return key.revokedAt === null;
  return mayDecide(key);
}
