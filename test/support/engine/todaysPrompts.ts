import { join } from 'node:path';
import { PromptFiles } from '../../../src/adapters/files/promptFiles.ts';
import type { PromptsOfToday } from '../../../src/app/tickets/ticketReplay.ts';

const shipped = join(import.meta.dirname, '../../../prompts');

/** With a folder's prompts in their place, and four characters for a token. */
export function todaysPrompts(folder?: string): PromptsOfToday {
  const prompts = new PromptFiles(shipped, folder === undefined ? undefined : { folder, apart: [] });
  return { prompts, count: (text) => Promise.resolve(Math.ceil(text.length / 4)) };
}
