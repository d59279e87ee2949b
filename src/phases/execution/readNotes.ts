import * as z from 'zod';
import { readJson } from './readJson.ts';

/** A list of notes as an artifact keeps it: a JSON array of texts, oldest first. */
export function readNotes(content: string | undefined): string[] {
  return readJson(z.array(z.string()), content) ?? (content ? [content] : []);
}
