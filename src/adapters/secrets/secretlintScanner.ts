import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Recent } from '../../base/recent.ts';
import type { SecretFound, SecretScanner } from '../../engine/ports/ports.ts';

/** Characters scanned at once, so that nothing else waits long. */
const slice = 64 * 1024;
/** Characters around a slice: its edges cut no secret, and begin no word. */
const before = 256;
const after = 8 * 1024;

type Find = (path: string, text: string) => Promise<readonly SecretFound[]>;

/** Finds credentials by secretlint (docs/decisions/077-guarded-changes.md), loaded on first use. */
export class SecretlintScanner implements SecretScanner {
  readonly #find: Find;
  // Most parts of a prompt were in the previous one. Keeps places, no text.
  readonly #known = new Recent<readonly SecretFound[]>(256);

  constructor(find: Find = byRules) {
    this.#find = find;
  }

  scan(path: string, text: string): Promise<readonly SecretFound[]> {
    return this.#known.of(`${path}\n${hash('sha256', text)}`, () => this.#scan(path, text));
  }

  async #scan(path: string, text: string): Promise<readonly SecretFound[]> {
    const found: SecretFound[] = [];
    for (let at = 0; at < text.length; at += slice) {
      if (at > 0) await setImmediate();
      const from = Math.max(0, at - before);
      for (const one of await this.#find(path, text.slice(from, at + slice + after))) {
        const start = from + one.start;
        if (start >= at && start < at + slice)
          found.push({ ...one, line: lineOf(text, start), start, end: from + one.end });
      }
    }
    return found;
  }
}

async function byRules(path: string, text: string): Promise<readonly SecretFound[]> {
  const { findSecrets } = await import('./secretlintRules.ts');
  return findSecrets(path, text);
}

function lineOf(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
