import type { SecretFound, SecretScanner } from '../../engine/ports/ports.ts';

/** Finds credentials by the rules of secretlint (docs/decisions/077-guarded-changes.md), which are loaded on first use. */
export class SecretlintScanner implements SecretScanner {
  async scan(path: string, text: string): Promise<readonly SecretFound[]> {
    const { findSecrets } = await import('./secretlintRules.ts');
    return findSecrets(path, text);
  }
}
