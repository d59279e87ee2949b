import { sha256 } from '../../src/base/sha256.ts';

/** This browser's key. Its private part never leaves the browser, not even for this page. */
export interface DeviceKey {
  readonly id: string;
  /** SPKI in base64. */
  readonly publicKey: string;
  /** In base64url. */
  sign(text: string): Promise<string>;
}

interface Stored {
  readonly publicKey: string;
  readonly privateKey: CryptoKey;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
const [database, table, row] = ['beadsmith', 'device', 'key'];
const idLength = 32;

/** False where the browser has no cryptography, which it only has over HTTPS and on its own machine. */
export function hasCryptography(): boolean {
  return globalThis.isSecureContext && 'indexedDB' in globalThis;
}

/** The key that this browser has; undefined before it was paired. */
export async function knownKey(): Promise<DeviceKey | undefined> {
  const stored = await inTable('readonly', (store) => store.get(row) as IDBRequest<Stored | undefined>);
  return stored && keyOf(stored);
}

/** Makes a key that can't be exported. It is kept once `keepKey` was called. */
export async function newKey(): Promise<DeviceKey & { keep(): Promise<void> }> {
  const pair = await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const spki = new Uint8Array(await crypto.subtle.exportKey('spki', pair.publicKey));
  const stored = { publicKey: base64(spki), privateKey: pair.privateKey };
  const keep = async (): Promise<void> => {
    await inTable('readwrite', (store) => store.put(stored, row));
  };
  return { ...keyOf(stored), keep };
}

export async function forgetKey(): Promise<void> {
  await inTable('readwrite', (store) => store.delete(row));
}

function keyOf({ publicKey, privateKey }: Stored): DeviceKey {
  const spki = Uint8Array.from(atob(publicKey), (char) => char.charCodeAt(0));
  return {
    id: sha256(spki).slice(0, idLength),
    publicKey,
    sign: async (text) => {
      const bytes = new TextEncoder().encode(text);
      const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, bytes);
      return base64(new Uint8Array(signature)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    },
  };
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

async function inTable<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(table);
  const opened = await done(opening);
  try {
    return await done(work(opened.transaction(table, mode).objectStore(table)));
  } finally {
    opened.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps nothing'));
  });
}
