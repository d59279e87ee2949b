import * as z from 'zod';
import { BeadsmithError } from '../../../domain/core/errors.ts';

/**
 * Says what is wrong with a row that can't be read, or undefined if the error says nothing about the row: it
 * isn't what any version writes, so something else wrote it, or its page is damaged.
 */
export function damageIn(error: unknown): string | undefined {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.replace(/^: /, '');
  }
  if (error instanceof SyntaxError) return 'it is no JSON';
  if (error instanceof BeadsmithError)
    return error.code === 'DATABASE_CORRUPT' ? String(error.args['reason']) : undefined;
  return error instanceof Error && /malformed JSON|bad JSON path/i.test(error.message)
    ? 'it is no JSON'
    : undefined;
}

/**
 * Reads something of one ticket. Throws TICKET_DAMAGED if that can't be read, so that other tickets aren't
 * taken for damaged, too.
 */
export function readingTicket<T>(ticket: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = damageIn(error);
    if (reason === undefined) throw error;
    throw new BeadsmithError('TICKET_DAMAGED', { ticket, reason }, { cause: error });
  }
}
