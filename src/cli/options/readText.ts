import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BeadsmithError } from '../../domain/core/errors.ts';
import type { CommandContext } from '../base/command.ts';

/** Nothing that is typed in or handed over is longer. */
const longest = 10_000_000;

/**
 * The text of a file given on the command line; `-` is standard input. Throws INVALID_INPUT with the reason.
 */
export async function readText(
  context: Pick<CommandContext, 'cwd' | 'readInput'>,
  path: string,
): Promise<string> {
  const invalid = (reason: string): BeadsmithError =>
    new BeadsmithError('INVALID_INPUT', { what: path === '-' ? 'Standard input' : path, reason });
  if (path === '-') {
    const text = await context.readInput();
    if (text.length > longest) throw invalid('it is larger than 10 MB');
    return text;
  }
  const file = resolve(context.cwd, path);
  try {
    const { size } = await stat(file);
    if (size > longest) throw invalid('it is larger than 10 MB');
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    if (error instanceof BeadsmithError) throw error;
    if (error instanceof TypeError) throw invalid('it is not UTF-8 text');
    throw invalid(
      error instanceof Error ? error.message.replace(/^(\w+): ([^,]+),.*$/, '$2 ($1)') : String(error),
    );
  }
}
