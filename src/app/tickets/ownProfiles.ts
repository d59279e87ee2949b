import { invalidInput } from '../../domain/core/errors.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { type OwnProfile, OwnProfiles, ownProfilesFile } from '../../domain/promptCache/profiles.ts';

/** A file that people write by hand is never longer. */
const longest = 64 * 1_024;

/**
 * Reads the caching profiles of providers, as a person wrote them down for this repository
 * (docs/prompt-cache.md); none without the file. Throws INVALID_INPUT for a file that can't be read, with
 * what is wrong in it.
 */
export async function ownProfiles(stateFolder: string): Promise<readonly OwnProfile[]> {
  const path = join(stateFolder, ownProfilesFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return [];
  const refuse = (reason: string): never => {
    throw invalidInput(`The file ${path}`, reason);
  };
  if (text.length > longest) return refuse(`it has more than ${String(longest)} characters`);
  // The parser is large, and few people have such a file.
  const { readText } = await import('../../domain/documents/base/text.ts');
  const read = readText('yaml', text);
  if (!read.ok) return refuse(read.error);
  const { data, error } = OwnProfiles.safeParse(read.value);
  return data ? data.profiles : refuse(z.prettifyError(error));
}
