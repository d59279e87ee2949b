import * as z from 'zod';

/**
 * The content of a `state` message: the state of the page, or why it has nothing to show (the ticket is gone,
 * its repository isn't open).
 */
export const PageView = z.discriminatedUnion('kind', [
  /**
   * `refusal`: why nothing can be changed here now, for people; otherwise empty. Reading is always possible.
   */
  z.object({ kind: z.literal('content'), content: z.unknown(), refusal: z.string() }),
  z.object({ kind: z.literal('note'), message: z.string(), nextStep: z.string() }),
]);
export type PageView = z.infer<typeof PageView>;
