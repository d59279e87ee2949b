import * as z from 'zod';

/** The content of a `state` message: the page's state, or why it has nothing to show. */
export const PageView = z.discriminatedUnion('kind', [
  /** `refusal`: why nothing can be changed here now; otherwise empty. */
  z.object({ kind: z.literal('content'), content: z.unknown(), refusal: z.string() }),
  z.object({ kind: z.literal('note'), message: z.string(), nextStep: z.string() }),
]);
export type PageView = z.infer<typeof PageView>;
