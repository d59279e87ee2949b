import * as z from 'zod';

/** The editor's kinds of notification. */
const NoticeKind = z.enum(['questions', 'blocked', 'needsYou', 'finished']);

/** The facts that a team's program gets as JSON, of a ticket that needs people or is over. */
export interface Notice {
  /** The same for each try, and for this notice alone. */
  readonly id: string;
  readonly kind: z.infer<typeof NoticeKind>;
  readonly repository: string;
  readonly ticket: string;
  readonly title: string;
  readonly status: string;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** The ticket's page in the browser. */
  readonly url: string;
  readonly error: { readonly code: string; readonly message: string; readonly nextStep: string } | null;
  /** The end of the wait for an answer, if there is one. Milliseconds since 1970. */
  readonly until: number | null;
}

/** A line for the log. `tries`: with this one. */
export const NoticeLine = z.object({
  outcome: z.enum(['sent', 'failed', 'given up']),
  reason: z.string().optional(),
  repository: z.string().optional(),
  ticket: z.string().optional(),
  kind: NoticeKind.optional(),
  tries: z.number().int().optional(),
});
export type NoticeLine = Readonly<z.infer<typeof NoticeLine>>;
