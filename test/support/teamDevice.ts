import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { keyIdOfSpki } from '../../src/adapters/keys/signatures.ts';
import type { KnownKeys } from '../../src/app/teamAdmission.ts';
import type { TeamKey, TeamRole } from '../../src/domain/team/keys.ts';
import { sealText, type SealedEntry, teamSeal } from '../../src/domain/team/seal.ts';

/** A device of a team with its private key: a browser's kind, unless it is an installation's. */
export class TeamDevice {
  readonly publicKey: string;
  readonly id: string;
  readonly #key: KeyObject;

  constructor(kind: 'browser' | 'installation' = 'browser') {
    const { privateKey } =
      kind === 'browser'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
    this.#key = privateKey;
    this.publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64');
    this.id = keyIdOfSpki(this.publicKey) ?? '';
  }

  sign(text: string): string {
    const isEd = this.#key.asymmetricKeyType === 'ed25519';
    const key = isEd ? this.#key : { key: this.#key, dsaEncoding: 'ieee-p1363' as const };
    return sign(isEd ? null : 'sha256', Buffer.from(text), key).toString('base64url');
  }

  seal(repository: string, entry: SealedEntry): string {
    return teamSeal({ key: this.id, signature: this.sign(sealText(repository, entry)) });
  }

  /** As the team keeps it. */
  row(role: TeamRole, changes: Partial<TeamKey> = {}): TeamKey {
    const { id, publicKey } = this;
    return { id, publicKey, person: 'Ada', device: 'phone', role, addedAt: 1, revokedAt: null, ...changes };
  }

  /** What an installation's key does. */
  asInstallation(): {
    spki(): Promise<string>;
    sign(text: string): Promise<{ key_id: string; public_key: string; signature: string }>;
  } {
    return {
      spki: () => Promise.resolve(this.publicKey),
      sign: (text) => {
        const signature = Buffer.from(this.sign(text), 'base64url').toString('base64');
        return Promise.resolve({ key_id: this.id, public_key: this.publicKey, signature });
      },
    };
  }
}

/** The devices of a team, in memory. */
export class KeysInMemory implements KnownKeys {
  readonly rows = new Map<string, TeamKey>();

  constructor(...rows: readonly TeamKey[]) {
    for (const row of rows) this.rows.set(row.id, row);
  }

  find(id: string): Promise<TeamKey | undefined> {
    return Promise.resolve(this.rows.get(id));
  }
}
