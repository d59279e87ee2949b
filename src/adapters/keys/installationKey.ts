import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { type EvidenceSignature, keyIdOf, keyLine } from '../../domain/proof/signature.ts';
import type { Signer } from '../../engine/ports/ports.ts';
import { createExclusively, makePrivateFolder } from '../system/files.ts';

const name = 'signing-key';
/** DER before the 32 bytes of an Ed25519 public key. */
const prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * This user's Ed25519 key (docs/decisions/168-evidence-is-signed.md), made once in the configuration folder
 * and readable by the user alone.
 */
export class InstallationKey implements Signer {
  readonly #folder: string;
  #key: Promise<KeyObject | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined where the folder can't be written: evidence then says that it isn't signed. */
  async sign(text: string): Promise<EvidenceSignature | undefined> {
    const key = await (this.#key ??= openKey(this.#folder).catch(() => undefined));
    if (!key) return undefined;
    const publicKey = publicOf(key);
    return {
      key_id: keyIdOf(publicKey),
      public_key: publicKey,
      signature: sign(null, Buffer.from(text), key).toString('base64'),
    };
  }

  /** As the key of a team's device: SPKI in base64. */
  async spki(): Promise<string> {
    const key = createPublicKey(await openKey(this.#folder));
    return key.export({ format: 'der', type: 'spki' }).toString('base64');
  }

  async line(): Promise<string> {
    return keyLine(publicOf(await openKey(this.#folder)), `${userInfo().username}@${hostname()}`);
  }

  async publicKey(): Promise<string | undefined> {
    const text = await readFile(join(this.#folder, name), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : publicOf(createPrivateKey(text));
  }
}

export function isGenuine(text: string, { public_key: publicKey, signature }: EvidenceSignature): boolean {
  try {
    const der = Buffer.concat([prefix, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false; // it is no key
  }
}

async function openKey(folder: string): Promise<KeyObject> {
  const file = join(folder, name);
  await makePrivateFolder(folder);
  const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' });
  const text = await readFile(file, 'utf8').catch(async () => {
    await createExclusively(file, made.toString(), { mode: 0o600 });
    return readFile(file, 'utf8');
  });
  return createPrivateKey(text);
}

function publicOf(key: KeyObject): string {
  return createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(prefix.length)
    .toString('base64');
}
