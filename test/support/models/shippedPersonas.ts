import { join } from 'node:path';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import type { PersonaEntry } from '../../../src/engine/ports/ports.ts';

/** Without a person's own folder. */
export function shippedPersonas(): Promise<readonly PersonaEntry[]> {
  return new PromptFiles(join(import.meta.dirname, '../../../prompts')).personas();
}
