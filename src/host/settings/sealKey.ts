import { randomBytes } from 'node:crypto';
import type { SecretStorage } from 'vscode';

const name = 'decisions.key';

/**
 * The key of the seals on a person's decisions: made once, and kept in the editor's secret storage, so that
 * every window has the same.
 */
export async function sealKey(secrets: SecretStorage): Promise<string> {
  const known = await secrets.get(name);
  if (known !== undefined) return known;
  await secrets.store(name, randomBytes(32).toString('base64url'));
  // Another window may have been faster; whatever is stored now is the key.
  return (await secrets.get(name)) ?? sealKey(secrets);
}
